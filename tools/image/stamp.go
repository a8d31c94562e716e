package image

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stampName is the file that marks a shadow and says what it was made from.
const stampName = "hearth.stamp"

// stamp identifies a shadow: it is out of date when any part differs.
type stamp struct {
	from      string // the GOROOT that was linked
	version   string // its Go version
	compiler  string // size and date of its go command: a reinstalled Go keeps its version
	additions string // digest of the files that were added
}

func newStamp(in installation) (stamp, error) {
	goCommand, err := os.Stat(filepath.Join(in.root, "bin", "go"))
	if err != nil {
		return stamp{}, fmt.Errorf("the Go installation in %s has no go command: %w", in.root, err)
	}
	return stamp{
		from:      in.root,
		version:   in.version,
		compiler:  fmt.Sprint(goCommand.Size(), " ", goCommand.ModTime().UnixNano()),
		additions: digest(),
	}, nil
}

// digest covers the additions, names and bytes.
func digest() string {
	h := sha256.New()
	for _, a := range additions {
		fmt.Fprintf(h, "%s %d\n%s", a.path, len(a.text), a.text)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func (s stamp) String() string {
	return strings.Join([]string{s.from, s.version, s.compiler, s.additions, ""}, "\n")
}

// matches reports whether root holds a whole shadow with this stamp.
func (s stamp) matches(root string) bool {
	found, err := readStamp(root)
	return err == nil && found == s
}

// write marks a tree as complete; it comes last.
func (s stamp) write(root string) error {
	return os.WriteFile(filepath.Join(root, stampName), []byte(s.String()), 0o666)
}

func readStamp(root string) (stamp, error) {
	text, err := os.ReadFile(filepath.Join(root, stampName))
	if err != nil {
		return stamp{}, err
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) != 5 {
		return stamp{}, fmt.Errorf("%s in %s is damaged", stampName, root)
	}
	return stamp{from: lines[0], version: lines[1], compiler: lines[2], additions: lines[3]}, nil
}
