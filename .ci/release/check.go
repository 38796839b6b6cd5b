package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A stranger acts as a new user, who has an empty folder, an empty module cache and no workspace. To save
// downloads, modules that are not Hone's are copied from this machine's module cache if it has them.
type stranger struct {
	dir string
	env []string
}

// newStranger returns a stranger who gets Hone's modules from the given proxy, or directly if
// proxy is "".
func newStranger(ctx context.Context, proxy string) (*stranger, error) {
	cached, err := output(ctx, "", "go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	usual, err := output(ctx, "", "go", "env", "GOPROXY")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "stranger-")
	if err != nil {
		return nil, err
	}
	from := "file://" + filepath.ToSlash(strings.TrimSpace(cached)) + "/cache/download," + strings.TrimSpace(usual)
	env := []string{
		"GOWORK=off", "GOFLAGS=-modcacherw -trimpath", "GOMODCACHE=" + filepath.Join(dir, "cache"), "GOBIN=" + filepath.Join(dir, "bin"),
		"GONOSUMDB=" + core, "PWD=",
	}
	if proxy != "" {
		env = append(env, "GOPROXY=file://"+filepath.ToSlash(proxy)+","+from)
	} else {
		env = append(env, "GOPROXY="+from, "GONOPROXY="+core)
	}
	return &stranger{dir, env}, nil
}

func (s *stranger) leave() { _ = os.RemoveAll(s.dir) }

// module makes an empty module.
func (s *stranger) module(ctx context.Context, name string) (dir string, err error) {
	dir = filepath.Join(s.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return dir, runQuietly(ctx, dir, s.env, "go", "mod", "init", "example.org/"+name)
}

func (s *stranger) do(ctx context.Context, dir string, args ...string) error {
	return runQuietly(ctx, dir, s.env, "go", args...)
}

// check installs and requires every module as a stranger does: from a file proxy, and from a clone
// with tags.
func (t *tree) check(ctx context.Context) error {
	proxy, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(proxy)
	if err := t.writeProxy(proxy); err != nil {
		return err
	}
	if err := t.checkExports(proxy); err != nil {
		return err
	}
	if err := t.try(ctx, "a file proxy", proxy, nil); err != nil {
		return err
	}
	clone, err := t.clone(ctx)
	if err != nil {
		return err
	}
	defer os.RemoveAll(clone)
	// This setting makes git use the clone in place of the repository.
	return t.try(ctx, "a clone with tags", "", []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + clone + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + core, "GIT_ALLOW_PROTOCOL=file",
	})
}

// try requires each module in a new empty folder, and builds packages of the module.
func (t *tree) try(ctx context.Context, from, proxy string, env []string) error {
	s, err := newStranger(ctx, proxy)
	if err != nil {
		return err
	}
	defer s.leave()
	s.env = append(s.env, env...)
	for i, u := range t.modules {
		fmt.Printf("from %s: %s@%s\n", from, u.path, u.version)
		dir, err := s.module(ctx, fmt.Sprint("try", i))
		if err != nil {
			return err
		}
		at := u.path + "@" + u.version
		declared := u.mod.Module.Mod.Path
		switch {
		case declared != u.path: // u replaces another module, such as Echo
			err = s.do(ctx, dir, "mod", "edit", "-replace="+declared+"="+at, "-require="+declared+"@"+u.version)
			if err == nil {
				err = use(dir, declared)
			}
			if err == nil {
				err = s.do(ctx, dir, "mod", "tidy")
			}
		default:
			err = s.do(ctx, dir, "get", at)
		}
		// All packages were built with the modules of the file proxy. The clone has the same files,
		// so only two of its modules are built. All other modules are only downloaded by their
		// paths and tags.
		if err == nil && (proxy != "" || u.dir == "." || u.dir == "cmd/hone") {
			err = s.do(ctx, dir, "build", declared+"/...")
		}
		if err == nil && u.dir == "cmd/hone" {
			err = s.tool(ctx, dir, u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// use writes a program that imports a package.
func use(dir, path string) error {
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport _ \""+path+"\"\n\nfunc main() {}\n"), 0o644)
}

// tool installs the command with go install, and as a tool of the module in dir, and runs both.
func (s *stranger) tool(ctx context.Context, dir string, u unit) error {
	if err := s.do(ctx, s.dir, "install", u.path+"@"+u.version); err != nil {
		return err
	}
	if err := runQuietly(ctx, s.dir, s.env, filepath.Join(s.dir, "bin", "hone"), "version"); err != nil {
		return err
	}
	if err := s.do(ctx, dir, "get", "-tool", u.path+"@"+u.version); err != nil {
		return err
	}
	return s.do(ctx, dir, "tool", "hone", "version")
}

// clone makes a repository with the tree and the tags of the release.
func (t *tree) clone(ctx context.Context) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "clone-"); err != nil {
		return "", err
	}
	all, err := t.listed(".")
	if err != nil {
		return "", err
	}
	for _, f := range all {
		if err := copyFile(filepath.Join(dir, filepath.FromSlash(f.Path())), f.(treeFile)); err != nil {
			return "", err
		}
	}
	proxy, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(proxy)
	inClone := *t
	inClone.root = dir
	commands := [][]string{{"init", "-q"}, {"add", "-A"}}
	for _, c := range commands {
		if err := runQuietly(ctx, dir, nil, "git", c...); err != nil {
			return "", err
		}
	}
	if err := inClone.writeSums(proxy); err != nil {
		return "", err
	}
	commands = [][]string{{"add", "-A"}, {"-c", "user.name=release", "-c", "user.email=release@example.org", "commit", "-q", "-m", "release"}}
	for _, u := range t.modules {
		commands = append(commands, []string{"tag", u.tag})
	}
	for _, c := range commands {
		if err := runQuietly(ctx, dir, nil, "git", c...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func copyFile(to string, f treeFile) error {
	info, err := f.Lstat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	text, err := os.ReadFile(f.from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, info.Mode().Perm())
}
