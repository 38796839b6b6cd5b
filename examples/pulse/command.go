package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/hone-go/hone/examples/pulse/store"
)

//go:embed help
var help embed.FS

// errUsage means that the command line is invalid, and that a message has been printed.
var errUsage = errors.New("bad command line")

// A commandLine has the flags of pulse, or of a command such as "pulse export".
type commandLine struct {
	*flag.FlagSet
	stderr io.Writer
	db     string
}

// newCommandLine returns the command line of a command, with the flag -db, whose help is db; without
// that flag if db is "". title is the name of the command, such as "pulse export".
func newCommandLine(title, db string, stderr io.Writer) *commandLine {
	c := &commandLine{FlagSet: flag.NewFlagSet(title, flag.ContinueOnError), stderr: stderr}
	c.SetOutput(stderr)
	c.Usage = func() {
		fmt.Fprint(stderr, helpText(title[strings.LastIndexByte(title, ' ')+1:]))
		c.PrintDefaults()
	}
	if db != "" {
		c.StringVar(&c.db, "db", "pulse.db", db)
	}
	return c
}

const sameDB = "the `database`, as in pulse's flag -db"

// helpText returns the text of the help of a command, without the list of its flags.
func helpText(command string) string {
	text, _ := help.ReadFile("help/" + command + ".txt") // the file is part of the program
	return string(text)
}

// parse parses args. The error is flag.ErrHelp if help was requested, and errUsage if args are
// invalid; the help or a message was then written to stderr.
func (c *commandLine) parse(args []string) error {
	if err := c.Parse(args); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return errUsage // the flag package has printed the error
	}
	if fault := dbFault(c.db); fault != "" {
		return c.wrong("%s", fault)
	}
	return nil
}

// parseInner parses the arguments of a command that has subcommands, such as "pulse token add". It returns the
// subcommand.
func (c *commandLine) parseInner(args []string) (inner string, err error) {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		inner, args = args[0], args[1:]
	}
	if err = c.parse(args); err == nil && inner == "" {
		c.Usage()
		err = errUsage
	}
	return inner, err
}

// wrong writes a fault of the command line to stderr, and returns errUsage.
func (c *commandLine) wrong(format string, args ...any) error {
	fmt.Fprintf(c.stderr, "%s: %s\nRun it with -help to see all flags.\n", c.Name(), fmt.Sprintf(format, args...))
	return errUsage
}

// use calls run with the database. For an import, the file of the database need not exist.
func (c *commandLine) use(ctx context.Context, options store.Options, run func(store.Store) error) error {
	if _, err := os.Stat(c.db); errors.Is(err, fs.ErrNotExist) && !isPostgres(c.db) && !options.History {
		return fmt.Errorf("there is no database %s", c.db)
	}
	s, err := openStore(ctx, c.db, options)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Close())
}
