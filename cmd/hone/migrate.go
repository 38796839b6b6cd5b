package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

const migrateHelp = `Moves the imports of the module that the current folder is in to Hone, and back:

  encoding/json            to  github.com/hone-go/hone/json
  encoding/json/v2         to  github.com/hone-go/hone/json/v2
  encoding/json/jsontext   to  github.com/hone-go/hone/json/jsontext
  github.com/samber/mo     to  github.com/hone-go/hone/mo, with its sub-packages
  github.com/labstack/echo/v5  to  github.com/hone-go/hone/web, with middleware and
                           echotest; a file goes on calling it echo

With -from echo/v4 it moves github.com/labstack/echo/v4 to the same packages, and
rewrites the code, since Echo v4 has another API. With -from go-json-experiment it
moves github.com/go-json-experiment/json to json/v2, with jsontext, and changes the
tag options inline and unknown to embed.

It prints the change as a diff, and writes nothing without -w. PACKAGES are those
whose files may change, all if there are none. The whole module is type-checked
as it would be, tests and files for other systems included. An import with which
something would not compile stays, with a comment that says why. Generated files
and nested modules stay as they are; go mod vendor makes a vendor folder anew.

  hone migrate                           show what would change
  hone migrate -test                     and what the tests say of it
  hone migrate -w                        write it
  hone migrate -w -only json ./internal/...
  hone migrate -w -skip echo -skip 'legacy_*.go'
  hone migrate -w -deps example.org/client
  hone migrate -w -from echo/v4          rewrite a program for Echo v4
  hone migrate -w -from go-json-experiment
  hone migrate -w -revert                undo it

-only and -skip take values that are separated by commas, and may be repeated. A
value is
  a symbol:   json, json/v2, jsontext, mo or echo
  files:      a name or pattern, such as foo_test.go, *_gen.go or cmd/app/*.go; one
              without a slash holds in all folders
  packages:   a folder such as ./internal, or an import path of the module; with
              /... at the end also what is below
A file's import changes if it is of an -only symbol and in an -only place, as far as
there are any, and if no -skip value is true of it. A value that is true of nothing
in the module is an error.

Dependencies keep their imports. -deps copies those that it names to
third_party/hone/MODULE@VERSION, changes the copies, and has go.mod replace the
modules by them. Each copy has all of the module's files, licences included.

-from echo/v4 rewrites all code that it can rewrite without a change of meaning, by
the types of the program, and lists the rest with its place and what to write there.
Packages that hand types of Echo to a dependency for Echo v4 stay, with the packages
that share such types with them; -force goes on, and lists the places too.

Methods on streams of encoding/json/jsontext stay with it where a value of their type
reaches a package that encodes with encoding/json, such as log/slog. With -force they
move, and each such value is a warning.

-w notes in .hone-migrate.json what it has changed. With that, -revert restores every
byte of the files that were not edited since, go.mod and go.sum included. In other
files, and without the note, it puts the imports back. Code that -from has rewritten
goes back as a whole, and by the note alone.

-test runs the module's tests before and after in temporary copies and compares each.
A test that differs is run again, and counts only if it differs again in the same
way. With -w nothing is written if a test differs.

The exit code is 0 if all went well and no test differs, 1 if one does, and 2 if the
usage is invalid or the change cannot be made.

docs/migrating/migrate.md tells more.
`

// A valueList collects the values of a flag that may be repeated.
type valueList []string

func (l *valueList) String() string     { return strings.Join(*l, ",") }
func (l *valueList) Set(v string) error { *l = append(*l, v); return nil }

// split returns the values, splitting them at commas.
func (l valueList) split() []string {
	var all []string
	for _, v := range l {
		all = append(all, strings.Split(v, ",")...)
	}
	return all
}

func migrateModule(c *call) error {
	var o migrate.Options
	var deps valueList
	write := c.flags.Bool("w", false, "write the change")
	c.flags.BoolVar(&o.Revert, "revert", false, "undo the change: move the imports back from Hone")
	c.flags.StringVar(&o.From, "from", "", "move a `library` whose code changes too: echo/v4 or go-json-experiment")
	c.flags.BoolVar(&o.Force, "force", false, "change code even if a dependency still uses the old package")
	c.flags.BoolVar(&o.Generated, "generated", false, "change generated files too")
	c.flags.StringVar(&o.Hone, "hone", "", "require Hone in this `version`, or replace it by the checkout in this folder")
	c.flags.Var((*valueList)(&o.Only), "only", "change only imports that match this `value`")
	c.flags.Var((*valueList)(&o.Skip), "skip", "do not change imports that match this `value`")
	c.flags.Var(&deps, "deps", "copy and change these `modules` too")
	test := c.flags.Bool("test", false, "run the tests before and after, and compare them")
	bench := c.flags.String("bench", "", "with -test, compare the benchmarks that match this `pattern`")
	report := c.flags.String("json", "", "write a report to this `file`; - prints it instead of the summary")
	quiet := c.flags.Bool("q", false, "print no diff and no progress")
	args, err := c.parse(0, 1<<16)
	if err != nil {
		return err
	}
	o.Patterns, o.Deps = args, deps.split()
	switch {
	case *bench != "" && !*test:
		return fmt.Errorf("-bench needs -test: %w", errAsked)
	case o.Revert && o.From != "":
		return fmt.Errorf("-revert and -from cannot be combined: -revert undoes any change: %w", errAsked)
	case o.Revert && len(o.Deps) > 0:
		return fmt.Errorf("-revert and -deps cannot be combined: -revert removes all copies: %w", errAsked)
	}
	o.Progress = func(format string, args ...any) {
		if !*quiet {
			fmt.Fprintf(c.flags.Output(), "hone: "+format+"\n", args...)
		}
	}
	if err := runMigrate(c, o, *write, *test, *quiet, *bench, *report); err != nil {
		if err == errNo {
			return err
		}
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	return nil
}

// runMigrate runs the migration with a temporary folder, which is removed even on an interrupt.
func runMigrate(c *call, o migrate.Options, write, test, quiet bool, bench, report string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	tmp, err := os.MkdirTemp("", "hone-migrate-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	defer func() {
		if ctx.Err() != nil && err != nil {
			err = fmt.Errorf("interrupted: %w", err)
		}
	}()
	change, err := migrate.Prepare(ctx, tmp, o)
	if err != nil {
		return err
	}
	out := c.stdout
	if report == "-" {
		out = io.Discard
	}
	if !quiet {
		fmt.Fprint(out, change.Diff())
	}
	var trial *migrate.Trial
	if test {
		if trial, err = change.Try(ctx, bench, o.Progress); err != nil {
			return err
		}
	}
	differs := trial != nil && len(trial.Differences) > 0
	write = write && !differs
	if write {
		if err := change.Write(); err != nil {
			return err
		}
	}
	change.Summary(out, write)
	if trial != nil {
		trial.Summary(out)
	}
	if report != "" {
		if err := writeReport(c.stdout, report, change, trial, write); err != nil {
			return err
		}
	}
	if differs {
		return errNo
	}
	return nil
}

func writeReport(stdout io.Writer, name string, change *migrate.Change, trial *migrate.Trial, written bool) error {
	data, err := json.MarshalIndent(struct {
		*migrate.Change
		Written bool           `json:"written"`
		Tests   *migrate.Trial `json:"tests,omitempty"`
	}{change, written, trial}, "", "\t")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if name == "-" {
		_, err = stdout.Write(data)
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
