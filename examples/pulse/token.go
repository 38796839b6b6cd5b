package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// runToken handles "pulse token".
func runToken(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	var db string
	t := store.Token{Created: time.Now()}
	command, set, err := subcommand("token", args, stderr, &db, func(set *flag.FlagSet) {
		set.StringVar(&t.Hosts, "host", "*", "the hosts of which readings may be posted: `patterns` with commas between them")
		set.StringVar((*string)(&t.Right), "right", "post", "post, read or admin (rename and remove hosts)")
	})
	if err != nil {
		return err
	}
	t.Name = set.Arg(0)
	switch {
	case command == "list" && set.NArg() != 0, command != "list" && set.NArg() != 1:
		return wrongUsage(stderr, "token "+command, "want one name")
	case command == "add" && t.Right != store.MayPost && t.Right != store.MayRead && t.Right != store.MayAdmin:
		return wrongUsage(stderr, "token add", fmt.Sprintf("-right %q is not one of post, read, admin", t.Right))
	}
	for pattern := range strings.SplitSeq(t.Hosts, ",") {
		if _, err := path.Match(pattern, ""); err != nil {
			return wrongUsage(stderr, "token add", fmt.Sprintf("-host %q is not a pattern such as web-*", pattern))
		}
	}
	s, err := openExisting(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	switch command {
	case "add":
		secret := strings.ToLower(rand.Text())
		if err := s.AddToken(ctx, t, secret); err != nil {
			return err
		}
		_, err = fmt.Fprintln(stdout, secret)
		return err
	case "remove":
		return s.RemoveToken(ctx, t.Name)
	case "list":
		tokens, err := s.Tokens(ctx)
		table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		for _, t := range tokens {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", t.Name, t.Right, t.Hosts, t.Created.UTC().Format(time.DateOnly))
		}
		return errors.Join(err, table.Flush())
	}
	return wrongUsage(stderr, "token", fmt.Sprintf("unknown command %q", command))
}

// subcommand parses the arguments of a command with commands of its own, such as "pulse token add".
// It returns the inner command and the flags. more adds flags. The error is flag.ErrHelp if help
// was requested, and errUsage if the arguments are invalid; the help or a message was then written
// to stderr.
func subcommand(name string, args []string, stderr io.Writer, db *string, more func(*flag.FlagSet)) (command string, set *flag.FlagSet, err error) {
	set = commandLine(name, stderr, db)
	more(set)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	if err := parse(set, args); err != nil {
		return "", nil, err
	}
	if dbFault(*db) != "" {
		return "", nil, wrongUsage(stderr, name, dbFault(*db))
	}
	if command == "" {
		set.Usage()
		return "", nil, errUsage
	}
	return command, set, nil
}
