package metal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hearth/tools/check/controls"
	"hearth/tools/image"
)

const (
	root      = "../.."
	wholeTree = "hearth" // the image that joins kernel and benchmark
)

// A control of a test is a mutation of the source that the guests are built with.
// Its artefacts stay beside it.
var (
	overlay   = os.Getenv(controls.OverlayVariable)
	artefacts = artefactsFolder()
)

func artefactsFolder() string {
	if overlay != "" {
		return filepath.Join(filepath.Dir(overlay), "metal")
	}
	return root + "/build/metal"
}

// images are built once a run, each when the first test asks for it.
var (
	images     = map[string]func() (image.Result, error){}
	imagesLock sync.Mutex
)

// built returns the image of the guest of that name, or of the whole tree, with
// the given build tags.
func built(t *testing.T, name, tags string) image.Result {
	t.Helper()
	key := name
	if tags != "" {
		key += "." + tags
	}
	imagesLock.Lock()
	build := images[key]
	if build == nil {
		build = sync.OnceValues(func() (image.Result, error) { return buildImage(t, name, key, tags) })
		images[key] = build
	}
	imagesLock.Unlock()
	r, err := build()
	if err != nil {
		t.Fatalf("building %s: %v", key, err)
	}
	return r
}

func buildImage(t *testing.T, name, key, tags string) (image.Result, error) {
	pkg := "hearth/tests/metal/guest/" + name
	if name == wholeTree {
		pkg = name
	}
	_, _ = os.ReadFile(lastRun())
	var said bytes.Buffer
	r, err := image.Build(t.Context(), image.Options{
		Package: pkg, Output: filepath.Join(artefacts, key+".elf"), Overlay: overlay, Tags: tags, Stderr: &said,
	})
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	return r, err
}

func TestMain(m *testing.M) {
	if err := os.MkdirAll(artefacts, 0o777); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.WriteFile(lastRun(), []byte(time.Now().String()+"\n"), 0o666)
	os.Exit(status)
}

// lastRun is a file that a test reads and that is written when all have ended: go
// test keeps no result that depends on so new a file. It would keep this one, and
// repeat it after a change of the kernel, since it does not see the sources that
// the guests are built from.
func lastRun() string { return filepath.Join(artefacts, "last-run") }
