package image

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// tempModule is a folder with a go.mod of its own, and so with a build folder.
func tempModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module tiny\n\ngo 1.26\n")
	return dir
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func shadowOf(t *testing.T, dir string) Toolchain {
	t.Helper()
	tc, err := Shadow(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

func TestShadowAddsFilesAndLeavesTheInstalledGoAlone(t *testing.T) {
	dir := tempModule(t)
	before, err := installed(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	tc := shadowOf(t, dir)
	if want := filepath.Join(dir, "build", "goroot"); tc.Root != want {
		t.Errorf("the shadow is in %s, want %s", tc.Root, want)
	}
	for _, a := range additions {
		text, err := os.ReadFile(filepath.Join(tc.Root, a.path))
		if err != nil || string(text) != a.text {
			t.Errorf("%s is not in the shadow as it should be (%v)", a.path, err)
		}
		if exists(filepath.Join(before.root, a.path)) {
			t.Errorf("%s is in the installed Go", a.path)
		}
	}
	for _, same := range []string{"bin/go", "src/runtime/proc.go", "VERSION"} {
		a, b := mustRead(t, filepath.Join(before.root, same)), mustRead(t, filepath.Join(tc.Root, same))
		if a != b {
			t.Errorf("%s differs from the installed one", same)
		}
	}
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mark leaves a file in a shadow, which is gone when the shadow is made anew.
func mark(t *testing.T, tc Toolchain) string {
	name := filepath.Join(tc.Root, "mark")
	writeFile(t, name, "")
	return name
}

// smallShadow makes the shadow of a Go installation of a few files.
func smallShadow(t *testing.T) (installation, Toolchain) {
	t.Helper()
	in := installation{root: smallTree(t), version: "go1.26.8", moduleDir: t.TempDir()}
	return in, in.mustShadow(t)
}

func (in installation) mustShadow(t *testing.T) Toolchain {
	t.Helper()
	tc, err := in.shadow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

func TestShadowIsMadeOnceForEachGo(t *testing.T) {
	in, tc := smallShadow(t)
	m := mark(t, tc)
	in.mustShadow(t)
	if !exists(m) {
		t.Fatal("the same Go got a second shadow")
	}
	for name, change := range map[string]func(*stamp){
		"another version":   func(s *stamp) { s.version = "go1.99" },
		"another folder":    func(s *stamp) { s.from = "/nowhere" },
		"a reinstalled go":  func(s *stamp) { s.compiler = "1 2" },
		"another Hearth":    func(s *stamp) { s.additions = "x" },
		"an unmarked shell": nil,
	} {
		t.Run(name, func(t *testing.T) {
			m := mark(t, tc)
			damage(t, tc.Root, change)
			in.mustShadow(t)
			if exists(m) {
				t.Error("the old shadow is still there")
			}
			if !exists(filepath.Join(tc.Root, "src/runtime/goos/goos.go")) {
				t.Error("the new shadow is not whole")
			}
		})
	}
}

func TestShadowKnowsItsVersion(t *testing.T) {
	in, tc := smallShadow(t)
	m := mark(t, tc)
	in.version = "go1.27.0"
	in.mustShadow(t)
	if exists(m) {
		t.Error("the shadow is still of the version before")
	}
}

func TestUpgradeOfGoInPlaceIsNoticed(t *testing.T) {
	in, tc := smallShadow(t)
	m := mark(t, tc)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(in.root, "bin/go"), later, later); err != nil {
		t.Fatal(err)
	}
	in.mustShadow(t)
	if exists(m) {
		t.Error("the shadow is still of the Go before")
	}
}

// damage changes a shadow's stamp, or removes it.
func damage(t *testing.T, root string, change func(*stamp)) {
	t.Helper()
	if change == nil {
		if err := os.Remove(filepath.Join(root, stampName)); err != nil {
			t.Fatal(err)
		}
		return
	}
	s, err := readStamp(root)
	if err != nil {
		t.Fatal(err)
	}
	change(&s)
	if err := s.write(root); err != nil {
		t.Fatal(err)
	}
}

func TestLeftoversOfAnInterruptedBuilderAreNoHindrance(t *testing.T) {
	in := installation{root: smallTree(t), version: "go1.26.8", moduleDir: t.TempDir()}
	for _, name := range []string{"goroot.new/src", "goroot.old/src"} {
		if err := os.MkdirAll(filepath.Join(in.moduleDir, "build", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	tc := in.mustShadow(t)
	if exists(tc.Root+".new") || exists(tc.Root+".old") {
		t.Error("leftovers are still there")
	}
}

func TestBuildersAtOnceShareOneShadow(t *testing.T) {
	in := installation{root: smallTree(t), version: "go1.26.8", moduleDir: t.TempDir()}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			tc, err := in.shadow(t.Context())
			if err != nil {
				t.Error(err)
			} else if !exists(filepath.Join(tc.Root, stampName)) {
				t.Error("a builder went on before the shadow was whole")
			}
		})
	}
	wg.Wait()
}

func TestLockWaitsForItsHolderAndForNoLongerThanTheContext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 3*lockPoll)
	defer cancel()
	if _, err := lock(short, name); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), name) {
		t.Errorf("second lock: %v, want a deadline error that names the file", err)
	}
	time.AfterFunc(2*lockPoll, unlock)
	again, err := lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestShadowOfAShadowIsOfTheOriginal(t *testing.T) {
	shadow := shadowOf(t, "")
	first, err := readStamp(shadow.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOROOT", shadow.Root)
	t.Setenv("PATH", filepath.Join(shadow.Root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	in, err := installed(t.Context(), "")
	if err != nil || in.root != first.from {
		t.Errorf("the installed Go is in %s (%v), want %s", in.root, err, first.from)
	}
}

func TestVetAndStaticcheckWorkThroughTheShadow(t *testing.T) {
	tc := shadowOf(t, "")
	for _, args := range [][]string{
		{"build", "-o", os.DevNull, "./testdata/drivers"},
		{"vet", "./testdata/drivers"},
		{"tool", "staticcheck", "./testdata/drivers"},
	} {
		if out, err := tc.Command(t.Context(), "", args...).CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func TestMissingGoAndMissingModuleAreSaidPlainly(t *testing.T) {
	if _, err := Shadow(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no go.mod at or above") {
		t.Errorf("outside of a module: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Shadow(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("without go: %v", err)
	}
	if _, err := exec.LookPath("go"); err == nil {
		t.Error("go was still on the PATH")
	}
}
