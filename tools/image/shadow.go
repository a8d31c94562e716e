package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// shadowName is the folder of the shadow GOROOT inside the build folder.
const shadowName = "goroot"

// lockPoll is how often a builder looks whether another one has finished; a
// shadow takes about half a second to make.
const lockPoll = 50 * time.Millisecond

// Shadow returns the shadow GOROOT of the module that governs dir, and makes it
// first where it is missing or belongs to another Go installation. Any number
// of processes may call it at once.
func Shadow(ctx context.Context, dir string) (Toolchain, error) {
	in, err := installed(ctx, dir)
	if err != nil {
		return Toolchain{}, err
	}
	return in.shadow(ctx)
}

func (in installation) shadow(ctx context.Context) (Toolchain, error) {
	build := filepath.Join(in.moduleDir, "build")
	tc := Toolchain{Root: filepath.Join(build, shadowName), Version: in.version, BuildDir: build}
	want, err := newStamp(in)
	if err != nil {
		return Toolchain{}, err
	}
	if want.matches(tc.Root) {
		return tc, nil
	}
	if err := os.MkdirAll(build, 0o777); err != nil {
		return Toolchain{}, err
	}
	unlock, err := lock(ctx, tc.Root+".lock")
	if err != nil {
		return Toolchain{}, err
	}
	defer unlock()
	if want.matches(tc.Root) { // another process made it while this one waited
		return tc, nil
	}
	return tc, remake(tc.Root, want)
}

// remake builds the shadow beside its place and moves it there whole, so that
// an interrupted build never leaves half a tree under the final name.
func remake(root string, want stamp) error {
	fresh, old := root+".new", root+".old"
	if err := errors.Join(os.RemoveAll(fresh), os.RemoveAll(old)); err != nil {
		return err
	}
	if err := linkTree(want.from, fresh, os.Link); err != nil {
		return fmt.Errorf("shadow of %s: %w", want.from, err)
	}
	if err := addTo(fresh); err != nil {
		return fmt.Errorf("shadow of %s: %w", want.from, err)
	}
	if err := want.write(fresh); err != nil {
		return err
	}
	if err := os.Rename(root, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, root); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// lock takes an exclusive lock on a file, which the operating system releases
// should this process die, and returns the function that gives it back.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("waiting for the builder that holds %s: %w", name, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}
