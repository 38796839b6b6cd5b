// Command release makes releases of Hone's modules and tries them as a stranger would.
//
//	release proxy DIR     write every module, as the next release would have it, as a file proxy
//	release check         install and require every module in empty folders: from a file proxy,
//	                      and from a local clone with tags in place of the repository
//	release tidy          report go.mod and go.sum files that `go mod tidy` would change
//	release commit NEXT   make the commit and the tags of a release, and the commit after it,
//	                      which requires NEXT
//	release notes         print the part of CHANGELOG.md about the release of this commit's tag
//	release api BASE      compare the exported declarations of the packages with .ci/release/api.txt, and
//	                      that file with the one of the commit BASE, whose differences CHANGELOG.md must
//	                      name. BASE may be empty. With HONE_UPDATE=1 the file is written
//	release peers         print the versions of the libraries that Hone replaces or is compared
//	                      with, and the newest ones
//
// A release has the files of git's index and working tree, except for files that git ignores.
package main

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: release proxy DIR | check | tidy | commit NEXT | notes | api BASE | peers")

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	t, err := readTree(ctx, strings.TrimSpace(root))
	if err != nil {
		return err
	}
	switch args = args[1:]; os.Args[1] + fmt.Sprint(len(args)) {
	case "proxy1":
		return t.writeProxy(args[0])
	case "check0":
		return t.check(ctx)
	case "tidy0":
		return t.tidy(ctx)
	case "commit1":
		return t.commit(ctx, args[0])
	case "notes0":
		return t.notes()
	case "api1":
		running := build.Default.ReleaseTags[len(build.Default.ReleaseTags)-1]
		return t.compareAPI(ctx, args[0], running, os.Getenv("HONE_UPDATE") != "")
	case "peers0":
		return t.peers(ctx)
	}
	return errUsage
}
