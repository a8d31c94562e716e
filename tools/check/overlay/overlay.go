// Package overlay lays changed sources out for go build -overlay, so that the tree
// itself is never touched, and lets one build hold many changes, each behind a number.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Write puts the texts of files, by the absolute paths for which they stand, into
// folder dir and returns the file that go build -overlay reads. A path need not exist.
func Write(dir string, files map[string]string) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		// Two folders may have a file of the same name.
		changed := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(changed, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[path] = changed
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, data, 0o644)
}

// Selector is a file of package pkg with an int variable of that name, which is the
// number in a variable of the environment, 0 without one.
func Selector(pkg, name, environment string) string {
	return fmt.Sprintf(`package %s

import (
	"os"
	"strconv"
)

var %s, _ = strconv.Atoi(os.Getenv(%q))
`, pkg, name, environment)
}
