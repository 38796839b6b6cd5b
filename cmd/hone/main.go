// Command hone works with the schemas of package wire and with API documents, and moves
// modules to Hone:
//
//	hone schema export PACKAGE.NAME        the schema of a type, a codec or a registry, as JSON
//	hone schema print FILE                 a schema as a table
//	hone schema check OLD NEW              whether old and new code read each other's bytes
//	hone schema check -against REVISION    the same for every codec of a module
//	hone decode -schema SCHEMA FILE        bytes to JSON, without the Go type
//	hone decode [-salvage] CONTAINER       records to JSON, also of a damaged container
//	hone encode -schema SCHEMA FILE        JSON to bytes
//	hone gen -ts|-python SCHEMA            types with a reader and a writer in another language
//	hone gen -go TYPE...                   codecs for struct types, in Go, for package wire
//	hone client -ts SOURCE                 a client of an API, from its OpenAPI document
//	hone openapi export PACKAGE.NAME       the OpenAPI document of an API, without a server
//	hone openapi diff OLD NEW              changes of a newer document that break clients
//	hone migrate [PACKAGES]                moves a module's imports to Hone, and back
//	hone try [PACKAGES]                    what a module would gain from Hone
//	hone version                           the version of hone
//
// The exit code is 2 if the usage is invalid. It is 1 if a check finds a difference, or if a
// command fails. The commands schema check, openapi diff, migrate and try exit with 1 only if they
// find a difference; if they cannot read their input, they exit with 2.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const usage = `hone works with the schemas of package wire and with API documents, and moves
modules to Hone.

usage:
  hone schema export PACKAGE.NAME     print the schema of a type, or of a variable
                                      that holds a codec or a registry, as JSON
  hone schema print FILE              print a schema as a table
  hone schema check OLD NEW           report whether new code reads old bytes, and
                                      old code reads new bytes
  hone schema check -against REVISION report the same for every codec of a module
  hone decode -schema SCHEMA FILE     print bytes as JSON
  hone decode [-salvage] CONTAINER    print records as JSON; -salvage reads damaged
                                      containers
  hone encode -schema SCHEMA FILE     encode JSON as bytes
  hone gen -ts|-python SCHEMA         generate types with a reader and a writer in
                                      TypeScript or Python
  hone gen -go TYPE...                generate Go code for struct types, with which
                                      package wire is faster
  hone client -ts SOURCE              print a TypeScript client of the API that an
                                      OpenAPI document describes
  hone openapi export PACKAGE.NAME    print the OpenAPI document of an API
  hone openapi diff OLD NEW           list the changes that break clients of an
                                      OpenAPI document
  hone migrate [PACKAGES]             move the imports of a module to Hone, and back
  hone try [PACKAGES]                 measure what a module would gain from Hone
  hone version                        print the version of hone

FILE, OLD, NEW, SCHEMA and SOURCE are files; - is the standard input. "hone COMMAND -h"
describes a command and shows examples.
`

// A command is a command of hone.
type command struct {
	name string
	help string // printed after the usage line
	args string
	run  func(c *call) error
}

// A call is a command with its arguments and streams.
type call struct {
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	flags  *flag.FlagSet
}

var commands = []command{
	{"schema export", exportHelp, "PACKAGE.NAME", exportSchema},
	{"schema print", printHelp, "FILE", printSchema},
	{"schema check", checkHelp, "[-reader new|old] OLD NEW, or -against REVISION [PACKAGES]", checkSchemas},
	{"decode", decodeHelp, "[-schema SCHEMA] [-stream] [-fingerprint] [-salvage] [FILE]", decodeFile},
	{"encode", encodeHelp, "-schema SCHEMA [-stream] [-fingerprint] [FILE]", encodeFile},
	{"gen", genHelp, "-ts|-python [-o FILE [-streams]] SCHEMA, or -ts|-python -package NAME -o DIR SCHEMA, or -ts|-python -runtime, or -go [-o FILE] [-check] [-all] [TYPE...]", generateCode},
	{"client", clientHelp, "-ts [-o FILE] SOURCE", makeClient},
	{"openapi export", openapiExportHelp, "[-yaml] [-title TITLE] [-version VERSION] [-o FILE] PACKAGE.NAME", exportDocument},
	{"openapi diff", diffHelp, "[-all] OLD NEW", diffDocuments},
	{"migrate", migrateHelp, "[-w] [-revert] [-only VALUES] [-skip VALUES] [-deps MODULES] [-hone VERSION|DIR] [-test] [PACKAGES]", migrateModule},
	{"try", tryHelp, "[-only VALUES] [-bench REGEXP] [-count N] [-limit TIME] [-json FILE] [-hone VERSION|DIR] [PACKAGES], or -run PROGRAM -load COMMAND, or -profile FILE", tryModule},
	{"version", versionHelp, "", printVersion},
}

var (
	// errNo means that a check failed, or that a comparison found differences. The command has
	// printed them.
	errNo = errors.New("no")
	// errUsage means that hone was called with invalid arguments.
	errUsage = errors.New("invalid usage")
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes the command of args and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	help := len(args) > 0 && (args[0] == "help" || isHelp(args[0]))
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
	for i := range commands {
		c := &commands[i]
		words := strings.Fields(c.name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return c.start(args[len(words):], help, stdin, stdout, stderr)
		}
	}
	if within := group(args[0]); within != "" {
		// The first argument begins several commands, such as schema. The second is missing or unknown.
		switch {
		case help && len(args) == 1 || len(args) == 2 && isHelp(args[1]):
			fmt.Fprint(stdout, within)
			return 0
		case len(args) > 1:
			fmt.Fprintf(stderr, "hone: unknown command %q\n\n", strings.Join(args[:2], " "))
		}
		fmt.Fprint(stderr, within)
		return 2
	}
	fmt.Fprintf(stderr, "hone: unknown command %q\n\n%s", args[0], usage)
	return 2
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// group lists the commands that begin with word.
func group(word string) string {
	list := ""
	for _, c := range commands {
		if first, _, more := strings.Cut(c.name, " "); more && first == word {
			list += "  hone " + c.name + " " + c.args + "\n"
		}
	}
	if list == "" {
		return ""
	}
	return "usage:\n" + list + "\n\"hone " + word + " COMMAND -h\" explains each, with an example.\n"
}

// start runs the command with the arguments after its name.
func (c *command) start(args []string, help bool, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	use := strings.TrimSpace("usage: hone " + c.name + " " + c.args)
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "%s\n\n%s\n", use, strings.TrimSpace(c.help))
		any := false
		flags.VisitAll(func(*flag.Flag) { any = true })
		if any {
			fmt.Fprintln(flags.Output(), "\nflags:")
			flags.PrintDefaults()
		}
	}
	if help || slices.ContainsFunc(args, isHelp) {
		args = []string{"-help"}
		flags.SetOutput(stdout)
	}
	err := c.run(&call{args: args, stdin: stdin, stdout: stdout, stderr: stderr, flags: flags})
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errNo):
		return 1
	case errors.Is(err, errUsage):
		if err != errUsage {
			fmt.Fprintln(stderr, "hone:", strings.TrimSuffix(err.Error(), ": "+errUsage.Error()))
		}
		fmt.Fprintln(stderr, use)
		return 2
	case errors.Is(err, errUnread):
		fmt.Fprintln(stderr, "hone:", strings.TrimPrefix(err.Error(), errUnread.Error()+": "))
		return 2
	}
	fmt.Fprintln(stderr, "hone:", err)
	return 1
}

// parse parses the flags and checks the number of arguments.
func (c *call) parse(least, most int) ([]string, error) {
	if err := c.flags.Parse(c.args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errUsage // the flag set has printed the error
	}
	args := c.flags.Args()
	switch {
	case len(args) < least:
		return nil, fmt.Errorf("too few arguments: %w", errUsage)
	case len(args) > most:
		return nil, fmt.Errorf("unexpected argument %q: %w", args[most], errUsage)
	}
	return args, nil
}

// maxInput is the maximum size of an input, in bytes.
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
