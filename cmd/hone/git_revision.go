package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkOut unpacks a revision of the current folder's git repository into a temporary folder, and
// returns the folder in it that corresponds to the current one. The repository is not changed.
func checkOut(revision string) (dir string, remove func(), err error) {
	if strings.HasPrefix(revision, "-") {
		return "", nil, fmt.Errorf("%q is not a revision", revision)
	}
	prefix, err := output(exec.Command("git", "rev-parse", "--show-prefix"))
	if err != nil {
		return "", nil, err
	}
	top, err := output(exec.Command("git", "rev-parse", "--show-toplevel"))
	if err != nil {
		return "", nil, err
	}
	tmp, err := os.MkdirTemp("", "hone-check-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(tmp) }
	cmd := exec.Command("git", "archive", "--format=tar", revision)
	cmd.Dir = strings.TrimSpace(string(top))
	var complaint strings.Builder
	cmd.Stderr = &complaint
	archive, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		err = unpack(tmp, archive)
		_, _ = io.Copy(io.Discard, archive)
		if failed := cmd.Wait(); failed != nil {
			err = errors.New(strings.TrimSpace(complaint.String()))
		}
	}
	dir = filepath.Join(tmp, filepath.FromSlash(strings.TrimSpace(string(prefix))))
	if err == nil {
		if _, err = os.Stat(dir); err != nil {
			err = fmt.Errorf("%s has no folder %s", revision, strings.TrimSpace(string(prefix)))
		}
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}

// unpack writes the folders and files of an archive into dir, and nothing outside of it. Links are
// ignored, since Go does not need them.
func unpack(dir string, archive io.Reader) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(filepath.Clean(h.Name), 0o755)
		case tar.TypeReg:
			if err = root.MkdirAll(filepath.Dir(h.Name), 0o755); err == nil {
				err = unpackFile(root, h.Name, r)
			}
		}
		if err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, name string, r io.Reader) error {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, r); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
