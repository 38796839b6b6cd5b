package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// writeSums adds the sums of Hone's own modules, as in a release, to every go.sum.
func (t *tree) writeSums(proxy string) error {
	if err := t.writeProxy(proxy); err != nil {
		return err
	}
	var sums []string
	for _, u := range t.modules {
		goMod, err := os.ReadFile(filepath.Join(t.root, u.dir, "go.mod"))
		if err != nil {
			return err
		}
		file := filepath.Join(t.root, u.dir, "go.sum")
		goSum, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if text := u.withSums(goSum, sums); len(text) > 0 {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return err
			}
		}
		more, err := sumsOf(u, filepath.Join(proxy, u.path, "@v", u.version+".zip"), goMod)
		if err != nil {
			return err
		}
		sums = append(sums, more...)
	}
	return nil
}

// commit makes the commit of the release with its tags, and a second commit in which the
// modules require the next release. It pushes nothing.
func (t *tree) commit(ctx context.Context, next string) error {
	if !semver.IsValid(next) || semver.Compare(next, t.version) <= 0 {
		return fmt.Errorf("the version %s is not newer than %s", next, t.version)
	}
	if changed, err := output(ctx, t.root, "git", "status", "--porcelain"); err != nil || changed != "" {
		return errors.Join(err, errors.New("the tree has changes that are not committed:\n"+changed))
	}
	log := filepath.Join(t.root, "CHANGELOG.md")
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	heading := fmt.Sprintf("## Unreleased\n\n## %s (%s)\n", t.version, time.Now().UTC().Format(time.DateOnly))
	changes := strings.Replace(string(text), "## Unreleased\n", heading, 1)
	if changes == string(text) {
		return errors.New("CHANGELOG.md has no heading Unreleased")
	}
	if err := os.WriteFile(log, []byte(changes), 0o644); err != nil {
		return err
	}
	proxy, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(proxy)
	before := map[string][]byte{}
	for _, u := range t.modules {
		file := filepath.Join(t.root, u.dir, "go.sum")
		if before[file], err = os.ReadFile(file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if err := t.writeSums(proxy); err != nil {
		return err
	}
	if err := t.git(ctx, "commit", "-qam", "release "+t.version); err != nil {
		return err
	}
	for _, u := range t.modules {
		if err := t.git(ctx, "tag", "-a", "-m", u.path+" "+u.version, u.tag); err != nil {
			return err
		}
		fmt.Println(u.tag)
	}
	for file, text := range before {
		if text == nil {
			err = os.Remove(file)
		} else {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if err := t.require(next); err != nil {
		return err
	}
	return t.git(ctx, "commit", "-qam", "after "+t.version+": the modules require "+next)
}

func (t *tree) git(ctx context.Context, args ...string) error {
	return runQuietly(ctx, t.root, nil, "git", args...)
}

// require makes the modules require the next release, and makes the workspaces use the modules of this tree instead
// of that release.
func (t *tree) require(next string) error {
	all := slices.Clone(t.modules)
	for _, dir := range t.apart {
		u, err := t.unit(dir)
		if err != nil {
			return err
		}
		all = append(all, u)
	}
	for _, u := range all {
		for _, r := range u.mod.Require {
			if isOurs(r.Mod.Path) && r.Mod.Version == t.version {
				if err := u.mod.AddRequire(r.Mod.Path, next); err != nil {
					return err
				}
			}
		}
		text, err := u.mod.Format()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.root, u.dir, "go.mod"), text, 0o644); err != nil {
			return err
		}
	}
	for _, dir := range []string{".", "integrations"} {
		file := filepath.Join(t.root, dir, "go.work")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		work, err := modfile.ParseWork(file, text, nil)
		if err != nil {
			return err
		}
		for _, r := range work.Replace {
			old, here := r.Old, r.New.Path
			if err := work.DropReplace(old.Path, old.Version); err != nil {
				return err
			}
			if err := work.AddReplace(old.Path, next, here, ""); err != nil {
				return err
			}
		}
		if err := os.WriteFile(file, modfile.Format(work.Syntax), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// notes prints the section of CHANGELOG.md for the release of the commit's tag.
func (t *tree) notes() error {
	tag, err := output(context.Background(), t.root, "git", "describe", "--exact-match", "--match", "v*", "--tags")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(t.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	part := regexp.MustCompile(`(?ms)^## ` + regexp.QuoteMeta(strings.TrimSpace(tag)) + ` [^\n]*\n(.*?)(?:^## |\z)`).FindSubmatch(text)
	if part == nil {
		return fmt.Errorf("CHANGELOG.md has no heading for %s", strings.TrimSpace(tag))
	}
	_, err = os.Stdout.Write(part[1])
	return err
}
