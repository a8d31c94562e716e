package image

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// linkTree makes dst a twin of the tree src with the given link function, and
// copies those files that cannot be linked: on another file system, or owned by
// a user whose files the caller may not link. Folders are new and writable.
func linkTree(src, dst string, link func(old, new string) error) error {
	return filepath.WalkDir(src, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, name)
		if err != nil {
			return err
		}
		twin := filepath.Join(dst, rel)
		switch {
		case d.IsDir() && (rel == ".git" || rel == "test"):
			return fs.SkipDir // the history and the tests of the compiler: nobody builds with them
		case d.IsDir():
			return os.MkdirAll(twin, 0o777)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(name, twin)
		}
		if link(name, twin) == nil {
			return nil
		}
		return copyFile(name, twin)
	})
}

func copyLink(name, twin string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	return os.Symlink(target, twin)
}

func copyFile(name, twin string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(twin, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
