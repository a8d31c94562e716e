package controls

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mutation is a control laid out on disk: what go test -overlay reads.
type mutation struct {
	overlay string // the overlay file
	line    int    // of File, where Old starts
}

// mutate writes the changed file and its overlay into dir.
func (c *Control) mutate(root, dir string) (mutation, error) {
	source, err := filepath.Abs(filepath.Join(root, c.File))
	if err != nil {
		return mutation{}, err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return mutation{}, err
	}
	if n := strings.Count(string(text), c.Old); n != 1 {
		return mutation{}, fmt.Errorf("the old text occurs %d times in %s, not once", n, c.File)
	}
	before, after, _ := strings.Cut(string(text), c.Old)
	changed := filepath.Join(dir, filepath.Base(c.File))
	if err := os.WriteFile(changed, []byte(before+c.New+after), 0o644); err != nil {
		return mutation{}, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		return mutation{}, err
	}
	m := mutation{overlay: filepath.Join(dir, "overlay.json"), line: 1 + strings.Count(before, "\n")}
	return m, os.WriteFile(m.overlay, overlay, 0o644)
}
