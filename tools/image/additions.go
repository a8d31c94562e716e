package image

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// addition is a file that a shadow GOROOT has beyond the installed one.
type addition struct {
	path string // below GOROOT
	text string
}

// They end in .txt here so that no tool takes them for packages of this module.
var (
	//go:embed goroot/goos.go.txt
	goosGo string
	//go:embed goroot/goos.s.txt
	goosAsm string
	//go:embed goroot/runtime.go.txt
	runtimeGo string
	//go:embed goroot/signal.go.txt
	signalGo string
	//go:embed goroot/signal_amd64.s.txt
	signalAsm string
)

// The file names carry no name of an operating system, which would be a build
// constraint in itself.
var additions = []addition{
	{"src/runtime/goos/goos.go", goosGo},
	{"src/runtime/goos/goos.s", goosAsm},
	{"src/runtime/hearth.go", runtimeGo},
	{"src/os/signal/hearth.go", signalGo},
	{"src/os/signal/hearth_amd64.s", signalAsm},
}

// addTo writes the additions into a tree. It replaces nothing: a file that is
// there already may be the installed one, by a hard link.
func addTo(root string) error {
	for _, a := range additions {
		name := filepath.Join(root, filepath.FromSlash(a.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := create(name, a.text); err != nil {
			return err
		}
	}
	return nil
}

func create(name, text string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("this Go has a file %s of its own, which Hearth would have to replace", filepath.Base(name))
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
