package migrate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A treeCopy copies folders, regular files and links from a folder to a new folder. The owner can write all copied
// files. A link to a file below the old folder becomes a link to its copy, and other links keep their targets.
type treeCopy struct {
	from, to string
	// skip reports whether an entry is left out. If it is nil, none is.
	skip func(rel string, d fs.DirEntry) bool
	// unreadable reports whether the copy goes on without an entry that the user may not read. If it is nil, the
	// copy fails.
	unreadable func(rel string) bool
}

func copyTree(ctx context.Context, c treeCopy) error {
	root, err := filepath.EvalSymlinks(c.from)
	if err != nil {
		return err
	}
	return filepath.WalkDir(c.from, func(p string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, outside := filepath.Rel(c.from, p)
		if outside != nil {
			return outside
		}
		leave := func() error {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err == nil && rel != "." && c.skip != nil && c.skip(filepath.ToSlash(rel), d) {
			return leave()
		}
		var file *os.File
		if err == nil && d.Type().IsRegular() {
			if file, err = os.Open(p); err == nil {
				defer file.Close()
			}
		}
		if err != nil {
			if rel != "." && c.unreadable != nil && errors.Is(err, fs.ErrPermission) && c.unreadable(filepath.ToSlash(rel)) {
				return leave()
			}
			return err
		}
		target := filepath.Join(c.to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := copiedLink(c.from, root, rel)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case file == nil:
			return nil
		}
		return copyFile(target, file)
	})
}

func copyFile(target string, from *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	to, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// copiedLink returns the target of the copy of the link rel in the folder dir, whose path without links is root.
func copiedLink(dir, root, rel string) (string, error) {
	link, err := os.Readlink(filepath.Join(dir, rel))
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(link) {
		if filepath.IsLocal(filepath.Join(filepath.Dir(rel), link)) {
			return link, nil
		}
		link = filepath.Join(root, filepath.Dir(rel), link)
	}
	targets := []string{link}
	if real, err := filepath.EvalSymlinks(link); err == nil { // a broken link has only the path that it names
		targets = append(targets, real)
	}
	for _, target := range targets {
		for _, top := range []string{root, dir} {
			if inside, err := filepath.Rel(top, target); err == nil && filepath.IsLocal(inside) {
				return filepath.Rel(filepath.Dir(rel), inside)
			}
		}
	}
	return link, nil
}
