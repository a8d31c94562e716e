package image

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallTree holds one of each thing that a GOROOT holds.
func smallTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"bin", "src/runtime", ".git", "test"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(dir, "src/runtime/proc.go"), "package runtime\n")
	writeFile(t, filepath.Join(dir, "bin/go"), "#!\n")
	writeFile(t, filepath.Join(dir, ".git/HEAD"), "x\n")
	writeFile(t, filepath.Join(dir, "test/bug.go"), "package p\n")
	err := errors.Join(
		os.Chmod(filepath.Join(dir, "bin/go"), 0o555),
		os.Symlink("go", filepath.Join(dir, "bin/gofmt")),
		os.Chmod(filepath.Join(dir, "src/runtime"), 0o555)) // as in a toolchain of the module cache
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "src/runtime"), 0o777) })
	return dir
}

func TestTreeIsLinkedOrElseCopied(t *testing.T) {
	refuse := func(string, string) error { return errors.New("invalid cross-device link") }
	for name, link := range map[string]func(string, string) error{"linked": os.Link, "copied": refuse} {
		t.Run(name, func(t *testing.T) {
			src, dst := smallTree(t), filepath.Join(t.TempDir(), "twin")
			if err := linkTree(src, dst, link); err != nil {
				t.Fatal(err)
			}
			if got := mustRead(t, filepath.Join(dst, "src/runtime/proc.go")); got != "package runtime\n" {
				t.Errorf("proc.go holds %q", got)
			}
			if sameFile(t, src, dst, "bin/go") != (name == "linked") {
				t.Errorf("bin/go is the same file: %v", name != "linked")
			}
			if info, _ := os.Stat(filepath.Join(dst, "bin/go")); info.Mode().Perm() != 0o555 {
				t.Errorf("bin/go has mode %v", info.Mode())
			}
			if to, _ := os.Readlink(filepath.Join(dst, "bin/gofmt")); to != "go" {
				t.Errorf("bin/gofmt leads to %q", to)
			}
			if exists(filepath.Join(dst, ".git")) || exists(filepath.Join(dst, "test")) {
				t.Error("the history or the compiler's tests came along")
			}
			if err := addTo(dst); err != nil {
				t.Errorf("nothing can be added to the twin: %v", err)
			}
		})
	}
}

func sameFile(t *testing.T, a, b, name string) bool {
	t.Helper()
	x, err1 := os.Stat(filepath.Join(a, name))
	y, err2 := os.Stat(filepath.Join(b, name))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

func TestAdditionsNeverReplaceAFileOfGo(t *testing.T) {
	src, dst := smallTree(t), filepath.Join(t.TempDir(), "twin")
	own := filepath.Join(src, additions[0].path)
	if err := errors.Join(os.Chmod(filepath.Join(src, "src/runtime"), 0o777), os.MkdirAll(filepath.Dir(own), 0o777)); err != nil {
		t.Fatal(err)
	}
	writeFile(t, own, "Go's own")
	if err := linkTree(src, dst, os.Link); err != nil {
		t.Fatal(err)
	}
	if err := addTo(dst); err == nil || !strings.Contains(err.Error(), "a file goos.go of its own") {
		t.Errorf("addTo: %v", err)
	}
	if got := mustRead(t, own); got != "Go's own" {
		t.Errorf("the installed file now holds %q", got)
	}
}
