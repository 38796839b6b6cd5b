package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A repository is a checkout of Hone.
type repository struct {
	root  string
	base  string // HONE_BASE
	state string // HONE_CI_STATE
}

func (r *repository) git(ctx context.Context, args ...string) (string, error) {
	out, err := output(ctx, r.root, "git", args...)
	return strings.TrimSpace(out), err
}

// baseCommit returns the commit that the tree is compared with, and the reason for the choice. It returns "" if
// there is none.
func (r *repository) baseCommit(ctx context.Context) (base, reason string, err error) {
	if err := r.deepen(ctx); err != nil {
		return "", "", err
	}
	if r.base == "none" {
		return "", "HONE_BASE is none, so every package counts as changed. This takes long.", nil
	}
	head, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return "", "", err
	}
	target := r.base
	if target == "" {
		target = "origin/main"
	}
	if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", target+"^{commit}"); err == nil {
		merge, err := r.git(ctx, "merge-base", target, "HEAD")
		if err != nil {
			return "", "", fmt.Errorf("%s and the present commit have no common history: %w", target, err)
		}
		if merge != head {
			return merge, fmt.Sprintf("The tree is compared with %.12s, which it shares with %s.", merge, target), nil
		}
	} else if r.base != "" {
		return "", "", fmt.Errorf("HONE_BASE is %q, and there is no such commit", r.base)
	}
	recorded, err := r.greens()
	if err != nil {
		return "", "", err
	}
	for _, commit := range slices.Backward(recorded) {
		if commit == head {
			continue // a run is repeated with the base that it had
		}
		if _, err := r.git(ctx, "merge-base", "--is-ancestor", commit, "HEAD"); err == nil {
			return commit, fmt.Sprintf("The tree is compared with %.12s, for which all checks passed.", commit), nil
		}
	}
	return "", fmt.Sprintf("The present commit is part of %s, and no earlier run of all checks is recorded. Every package counts as changed. This takes long.", target), nil
}

// deepen fetches the history of a shallow clone.
func (r *repository) deepen(ctx context.Context) error {
	shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil || shallow != "true" {
		return err
	}
	if _, err := r.git(ctx, "fetch", "--quiet", "--unshallow"); err != nil {
		return fmt.Errorf("this clone is shallow, so changes cannot be found: %w", err)
	}
	return nil
}

// maxGreens is the number of commits that are recorded.
const maxGreens = 50

// stateFile returns the name of a file that is kept between runs. The file green has the recorded commits, one a line,
// the newest last.
func (r *repository) stateFile(name string) (string, error) {
	dir := r.state
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "hone-ci")
	}
	return filepath.Join(dir, name), nil
}

// writeState writes a file that is kept between runs. If the run is stopped, the earlier file stays.
func (r *repository) writeState(name string, text []byte) error {
	name, err := r.stateFile(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func (r *repository) greens() ([]string, error) {
	name, err := r.stateFile("green")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return strings.Fields(string(text)), nil
}

// recordGreen records the present commit. It is an error if the tree differs from the commit.
func (r *repository) recordGreen(ctx context.Context) error {
	dirty, err := r.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	if dirty != "" {
		return fmt.Errorf("the tree differs from its commit, so the run is not recorded:\n%s", dirty)
	}
	head, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	recorded, err := r.greens()
	if err != nil {
		return err
	}
	recorded = append(slices.DeleteFunc(recorded, func(commit string) bool { return commit == head }), head)
	return r.writeState("green", []byte(strings.Join(recorded[max(0, len(recorded)-maxGreens):], "\n")+"\n"))
}
