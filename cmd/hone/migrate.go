package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

const migrateHelp = `Moves the imports of the module in the current folder to Hone, and back:

  encoding/json            to  github.com/hone-go/hone/json
  encoding/json/v2         to  github.com/hone-go/hone/json/v2
  encoding/json/jsontext   to  github.com/hone-go/hone/json/jsontext
  github.com/samber/mo     to  github.com/hone-go/hone/mo, with its sub-packages
  github.com/labstack/echo/v5  to  github.com/hone-go/hone/web, with middleware and
                           echotest, under the name echo

With -from echo/v4 it moves github.com/labstack/echo/v4 to the same packages, and
rewrites the code, because Echo v4 has another API. With -from go-json-experiment it
moves github.com/go-json-experiment/json to json/v2, with jsontext, and changes the
tag options inline and unknown to embed.

The command prints the change as a diff. It writes files only with -w. PACKAGES are
the packages whose files may change; by default all packages of the module. The whole
module is type-checked with the change, including tests and files for other systems.
An import stays if code would not compile without it, and gets a comment with the
reason. Generated files and nested modules do not change. A vendor folder is updated
by go mod vendor. In a workspace only the module of the current folder changes, and the
other modules are type-checked with the change.

  hone migrate                           print the change
  hone migrate -test                     also compare the results of the tests
  hone migrate -w                        write the change
  hone migrate -w -only json ./internal/...
  hone migrate -w -skip echo -skip 'legacy_*.go'
  hone migrate -w -only json=shadow      compare Hone with encoding/json
  hone migrate -w -deps example.org/client
  hone migrate -w -from echo/v4          rewrite a program for Echo v4
  hone migrate -w -from go-json-experiment
  hone migrate -w -revert                undo the change
  hone migrate -check                    in CI: fail if an import could change

-only and -skip take values that are separated by commas, and may be repeated. A
value is
  a symbol:   json, json/v2, jsontext, mo or echo. With -only, json=shadow moves the
              imports to json/shadow, and json/v2=shadow to json/v2/shadow: these
              packages compare Hone with encoding/json
  files:      a name or pattern, such as foo_test.go, *_gen.go or cmd/app/*.go; a
              name without a slash matches in all folders
  packages:   a folder such as ./internal, or an import path of the module; with
              /... at the end also the packages below it
An import changes if its symbol is among the -only symbols (if there are any), its
file is among the -only files and packages (if there are any), and no -skip value
matches it. A value that matches nothing in the module is an error.

Dependencies keep their imports. -deps names modules to copy to
third_party/hone/MODULE@VERSION. hone changes the copies, and adds replacements by the
copies to go.mod. Each copy has all files of the module, including licences.

-from echo/v4 rewrites the code that it can rewrite without changing its meaning. It
lists all other uses of Echo v4, with their positions and advice on the new code.
Packages that pass values of Echo's types to a dependency for Echo v4 do not change,
nor do packages that share such values with them. With -force they change, and the
uses are listed.

Methods on streams of encoding/json/jsontext keep that package if a value of their
type reaches a package that encodes with encoding/json, such as log/slog. With -force
they move, and a warning names each such value.

-w records the change in .hone-migrate.json. With this record, -revert restores every
byte of the files that were not edited since, including go.mod and go.sum. In other
files, and without the record, -revert restores the imports. Code that -from has
rewritten can only be restored as a whole, and only with the record. If the record
cannot be used, or is missing and no import can be restored, -revert says why, and
exits with 2.

-test runs the module's tests in temporary copies, before and after the change, and
compares the results. A test with different results is run again, and counts only if
it differs again in the same way. A package that does not build after the change is
listed with the messages of the compiler, and its tests do not run again. With -w
nothing is written if a test differs, or if a package does not build.

-check lists each import that hone migrate would try to change, with file and line, and
exits with 1 if there are any. It does not type-check, and writes nothing. Imports that
stay with a comment of hone migrate are not listed. -only, -skip, -from, -generated and
PACKAGES select the imports, as without -check.

All positions are positions in the files as they are on disk: before the change
without -w, after it with -w.

The exit code is 0 on success, 1 if a test differs, a package no longer builds or -check
finds an import, and 2 if the usage is invalid or the change cannot be made.

docs/migrating/migrate.md has more details.
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

func migrateModule(c *call) action {
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
	bench := c.flags.String("bench", "", "removed: hone try compares benchmarks")
	check := c.flags.Bool("check", false, "list the imports that could change, and fail if there are any")
	report := c.flags.String("json", "", "write a report to this `file`; - prints it instead of the summary")
	quiet := c.flags.Bool("q", false, "print no diff and no progress")
	return func(args []string) error {
		o.Patterns, o.Deps = args, deps.split()
		switch {
		case *bench != "":
			return fmt.Errorf("-bench was removed: hone try -bench compares benchmarks: %w", errUsage)
		case *check && (*write || *test || o.Revert || len(o.Deps) > 0):
			return fmt.Errorf("-check cannot be combined with -w, -test, -revert and -deps, because it only reads: %w", errUsage)
		case o.Revert && o.From != "":
			return fmt.Errorf("-revert and -from cannot be combined, because -revert undoes any change: %w", errUsage)
		case o.Revert && len(o.Deps) > 0:
			return fmt.Errorf("-revert and -deps cannot be combined, because -revert removes all copies: %w", errUsage)
		}
		p := newProgress(c.stderr)
		if *quiet {
			p = newProgress(io.Discard)
		}
		o.Progress, o.Count = p.step, p.count
		defer p.clear()
		run := func() error { return runMigrate(c, o, *write, *test, *quiet, *report) }
		if *check {
			run = func() error { return checkImports(c, o, *report) }
		}
		if err := run(); err != nil {
			if err == errNo {
				return err
			}
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		return nil
	}
}

// runMigrate runs the migration with a temporary folder, which is removed even on an interrupt.
func runMigrate(c *call, o migrate.Options, write, test, quiet bool, report string) (err error) {
	ctx, stop := untilInterrupt()
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
		if trial, err = change.Try(ctx, o.Progress); err != nil {
			return err
		}
	}
	differs := trial != nil && trial.Differs()
	change.Refused = write && differs
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
	if change.Refused {
		fmt.Fprintf(out, "nothing was written, because %s: -w without -test writes the change\n", trial.Reason())
	}
	if report != "" {
		if err := writeReport(c.stdout, report, struct {
			*migrate.Change
			Written bool           `json:"written"`
			Tests   *migrate.Trial `json:"tests,omitempty"`
		}{change, write, trial}); err != nil {
			return err
		}
	}
	if differs {
		return errNo
	}
	return nil
}

// checkImports lists the imports of packages that Hone replaces. The error is errNo if there are any.
func checkImports(c *call, o migrate.Options, report string) error {
	ctx, stop := untilInterrupt()
	defer stop()
	tmp, err := os.MkdirTemp("", "hone-migrate-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	found, err := migrate.Check(ctx, tmp, o)
	if err != nil {
		return err
	}
	if report != "-" {
		for _, x := range found {
			fmt.Fprintf(c.stdout, "%s: imports %s: hone migrate -w changes it to %s, or explains in a comment why it stays\n", x.Where, x.Import, x.To)
		}
	}
	if report != "" {
		if err := writeReport(c.stdout, report, struct {
			Imports []migrate.Found `json:"imports"`
		}{found}); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return errNo
	}
	return nil
}

func writeReport(stdout io.Writer, name string, report any) error {
	data, err := json.MarshalIndent(report, "", "\t")
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
