package controls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hearth/tools/check/overlay"
)

// mutation is a control applied to its file.
type mutation struct {
	source  string // the file, absolute
	at, end int    // the bytes of it that Old takes
	line    int    // where Old starts
	before  string // the file as it is
	after   string // and with the change
	overlay string // once it is laid out: what go test -overlay reads
}

// read applies c in memory.
func (c *Control) read(root string) (mutation, error) {
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
	return mutation{
		source: source,
		at:     len(before),
		end:    len(before) + len(c.Old),
		line:   1 + strings.Count(before, "\n"),
		before: string(text),
		after:  before + c.New + after,
	}, nil
}

// mutate writes the changed file and its overlay into dir.
func (c *Control) mutate(root, dir string) (mutation, error) {
	m, err := c.read(root)
	if err != nil {
		return mutation{}, err
	}
	m.overlay, err = overlay.Write(dir, map[string]string{m.source: m.after})
	return m, err
}
