// Package controls proves that tests test: each control is a small mutation of
// the source, a removed fence, a bound off by one, that must turn a named test
// red. The source is never touched; the mutated file goes through a build overlay.
package controls

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// ListName is the name of the files that list controls.
const ListName = "controls.json"

// Control is one mutation and the test that must notice it.
type Control struct {
	Name    string // what the mutation takes away; unique in the module
	File    string // to mutate, relative to the module root
	Old     string // text that occurs exactly once in File
	New     string // takes its place
	Package string // pattern of the packages to test, as go test takes it in the root
	Test    string // regular expression for go test -run
	Flags   flags  // more flags for go test
	Why     string // what would go wrong in a kernel with this mutation

	List string `json:"-"` // the file that lists the control, relative to the root
}

// flags is a list of words in JSON, or one string of words.
type flags []string

// UnmarshalJSON accepts both forms.
func (f *flags) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var words string
		if err := json.Unmarshal(data, &words); err != nil {
			return err
		}
		*f = strings.Fields(words)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(f))
}

// Load reads every list of controls below root. Its errors name the list, and
// the place in it where there is one.
func Load(root string) ([]Control, error) {
	var all []Control
	lists := map[string]string{} // control name to the list that has it
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name() == "build" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || d.Name() != ListName:
			return nil
		}
		list, err := loadList(root, name)
		for _, c := range list {
			if other, twice := lists[c.Name]; twice {
				return fmt.Errorf("%s: control %q is also in %s", name, c.Name, other)
			}
			lists[c.Name] = name
		}
		all = append(all, list...)
		return err
	})
	return all, err
}

func loadList(root, name string) ([]Control, error) {
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	list, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range list {
		list[i].List = name
		if err := list[i].check(root, path.Dir(name)); err != nil {
			return nil, fmt.Errorf("%s: control %d, %q: %w", name, i+1, list[i].Name, err)
		}
	}
	return list, nil
}

// parse reads one list and says at which byte it stopped making sense.
func parse(data []byte) ([]Control, error) {
	var list []Control
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(&list)
	if err == nil {
		if _, more := d.Token(); more == nil || !errors.Is(more, io.EOF) {
			err = errors.New("text after the list")
		}
	}
	if err == nil {
		return list, nil
	}
	at := d.InputOffset()
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &wrong):
		at = wrong.Offset
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at = int64(len(data))
	}
	return nil, fmt.Errorf("not a list of controls at byte %d: %v", at, err)
}

// check judges the fields that need no look into the source, and completes
// File where it was given relative to the list's own folder.
func (c *Control) check(root, folder string) error {
	for _, f := range []struct{ name, value string }{
		{"name", c.Name}, {"file", c.File}, {"old", c.Old}, {"package", c.Package}, {"test", c.Test},
	} {
		if f.value == "" {
			return fmt.Errorf("no %q", f.name)
		}
	}
	if c.Old == c.New {
		return errors.New(`"old" and "new" are the same`)
	}
	if _, err := regexp.Compile(c.Test); err != nil {
		return fmt.Errorf(`"test": %v`, err)
	}
	for _, name := range []string{c.File, path.Join(folder, c.File)} {
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			c.File = name
			return nil
		}
	}
	return fmt.Errorf("no file %s", c.File)
}
