// Command hone works with the schemas of package wire and with API documents:
//
//	hone schema export PACKAGE.NAME        a type's, or a layout's, schema as JSON
//	hone schema print FILE                 a schema as a table
//	hone schema check OLD NEW              whether old and new code read each other's bytes
//	hone decode -schema SCHEMA FILE        bytes to JSON, without the Go type
//	hone client -ts SOURCE                 a client of an API, from its OpenAPI document
//
// It exits with 1 if the answer is no and with 2 if it was asked wrongly.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

const usage = `hone works with the schemas of package wire and with API documents.

usage:
  hone schema export PACKAGE.NAME     print the schema of a type, or of a variable
                                      that holds a codec, as JSON
  hone schema print FILE              print a schema as a table
  hone schema check OLD NEW           say whether new code reads old bytes and old
                                      code new ones; exit with 1 if not
  hone decode -schema SCHEMA FILE     print bytes as JSON
  hone client -ts SOURCE              print a TypeScript client of the API that an
                                      OpenAPI 3.1 document describes

FILE, OLD, NEW, SCHEMA and SOURCE are files; - is the standard input. "hone help COMMAND"
tells more.
`

// A command is one thing that hone does.
type command struct {
	name string
	help string // behind the usage line
	args string
	run  func(c *call) error
}

// A call is a command with what it was given.
type call struct {
	args   []string
	stdin  io.Reader
	stdout io.Writer
	flags  *flag.FlagSet
}

var commands = []command{
	{"schema export", exportHelp, "PACKAGE.NAME", exportSchema},
	{"schema print", printHelp, "FILE", printSchema},
	{"schema check", checkHelp, "OLD NEW", checkSchemas},
	{"decode", decodeHelp, "-schema SCHEMA [-stream] [FILE]", decodeFile},
	{"client", clientHelp, "-ts [-o FILE] SOURCE", makeClient},
}

var (
	// errNo says that the answer is no; it has been printed.
	errNo = errors.New("no")
	// errAsked is an error in how hone was called.
	errAsked = errors.New("asked wrongly")
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run does what args say and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	help := len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help")
	if help {
		args = args[1:]
	}
	if len(args) == 0 {
		if help {
			fmt.Fprint(stdout, usage)
			return 0
		}
		fmt.Fprint(stderr, usage)
		return 2
	}
	for _, c := range commands {
		words := strings.Fields(c.name)
		if len(args) < len(words) || strings.Join(args[:len(words)], " ") != c.name {
			continue
		}
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		flags.SetOutput(stderr)
		explain := func() {
			fmt.Fprintf(flags.Output(), "usage: hone %s %s\n\n%s", c.name, c.args, c.help)
			if c.name == "decode" || c.name == "client" {
				fmt.Fprintln(flags.Output())
				flags.PrintDefaults()
			}
		}
		flags.Usage = explain
		args = args[len(words):]
		if help {
			args = []string{"-help"}
		}
		if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
			flags.SetOutput(stdout)
		}
		err := c.run(&call{args: args, stdin: stdin, stdout: stdout, flags: flags})
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errNo):
			return 1
		case errors.Is(err, errAsked):
			if err != errAsked {
				fmt.Fprintln(stderr, "hone:", strings.TrimSuffix(err.Error(), ": "+errAsked.Error()))
			}
			fmt.Fprintf(stderr, "usage: hone %s %s\n", c.name, c.args)
			return 2
		}
		fmt.Fprintln(stderr, "hone:", err)
		return 1
	}
	fmt.Fprintf(stderr, "hone: there is no command %q\n\n%s", strings.Join(args[:min(2, len(args))], " "), usage)
	return 2
}

// parse reads the flags and checks how many arguments there are.
func (c *call) parse(least, most int) ([]string, error) {
	if err := c.flags.Parse(c.args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errAsked // the flag set has said what is wrong
	}
	args := c.flags.Args()
	switch {
	case len(args) < least:
		return nil, fmt.Errorf("too few arguments: %w", errAsked)
	case len(args) > most:
		return nil, fmt.Errorf("what is %q?: %w", args[most], errAsked)
	}
	return args, nil
}

// maxInput bounds what is read of a file.
const maxInput = 1 << 30

// read returns the contents of a file, or of the standard input for "-".
func (c *call) read(name string) ([]byte, error) {
	r := c.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("%s is longer than 1 GiB", name)
	}
	return data, err
}
