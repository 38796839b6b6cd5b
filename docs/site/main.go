// Command site renders the documentation as a site that can be searched:
//
//	go run ./docs/site                  write docs/site/.build/public
//	go run ./docs/site -serve :8000     write it, and serve it
//	go run ./docs/site -base /hone/     write it for a folder of a host
//
// The site of an older version is in a folder of its own, and reads the list of versions of the newest site:
//
//	go run ./docs/site -base /hone/v0.1/ -versions /hone/versions.json
//
// The site has the repository's Markdown pages and a page for each public package, made from its
// comments and examples. VitePress renders them, so the command needs Node and npm; the first run
// installs VitePress. The command fails if a link or an anchor of the site is broken, or if a page
// is missing from the navigation.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1) //nolint:gocritic // the process ends anyway
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("site", flag.ExitOnError)
	base := flags.String("base", "/", "the `folder` of the site on its host; it begins and ends with a slash")
	versions := flags.String("versions", "", "the `path` of versions.json on the host; by default it is in the site's folder")
	serve := flags.String("serve", "", "serve the site at this `address` until interrupted")
	_ = flags.Parse(args)
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; -help lists the flags", flags.Arg(0))
	}
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("run this within Hone's repository: %w", err)
	}
	public, err := render(ctx, filepath.FromSlash(strings.TrimSpace(string(out))), *base, cmp.Or(*versions, *base+"versions.json"))
	if err != nil {
		return err
	}
	fmt.Println(public)
	if *serve == "" {
		return nil
	}
	server := &http.Server{Addr: *serve, Handler: http.StripPrefix(strings.TrimSuffix(*base, "/"), http.FileServer(http.Dir(public)))}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// render writes the site for a folder of a host and returns the folder with its files. The pages read the
// list of versions at the path versions of the host.
func render(ctx context.Context, root, base, versions string) (public string, err error) {
	dir := filepath.Join(root, "docs", "site")
	if err := installRenderer(ctx, dir); err != nil {
		return "", err
	}
	work := filepath.Join(dir, ".build")
	if err := os.RemoveAll(work); err != nil {
		return "", err
	}
	if err := stage(ctx, root, work, base, versions); err != nil {
		return "", err
	}
	// The library for drawings is copied without bundling, because bundling would take as long as all pages.
	mermaid, err := os.ReadFile(filepath.Join(dir, "node_modules", "mermaid", "dist", "mermaid.min.js"))
	if err != nil {
		return "", err
	}
	if err := write(filepath.Join(work, "assets", "mermaid.min.js"), mermaid); err != nil {
		return "", err
	}
	if err := npm(ctx, dir, "run", "--silent", "build"); err != nil {
		return "", err
	}
	public = filepath.Join(work, "public")
	return public, check(public, base)
}

// installRenderer installs the packages of package-lock.json, unless they are installed.
func installRenderer(ctx context.Context, dir string) error {
	if installed(dir) {
		return nil
	}
	return npm(ctx, dir, "ci", "--silent")
}

// installed reports whether the packages were installed after the last change of package-lock.json.
func installed(dir string) bool {
	lock, err := os.Stat(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return false
	}
	done, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json"))
	return err == nil && !done.ModTime().Before(lock.ModTime())
}

func npm(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
