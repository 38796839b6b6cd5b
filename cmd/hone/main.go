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
// "hone completion bash", with zsh and fish too, prints a script that completes commands and flags.
//
// The exit code is 2 if the usage is invalid, or a file cannot be opened. It is 1 if a check finds a
// difference, or if a command fails for another reason. The commands schema check, openapi diff, migrate and try exit with 1 only if they
// find a difference; if they cannot read their input, they exit with 2.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
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
  hone completion bash|zsh|fish       print a script for the shell that completes
                                      commands and flags

FILE, OLD, NEW, SCHEMA and SOURCE are files; - is the standard input. "hone COMMAND -h"
describes a command and shows examples.
`

// A command is a command of hone.
type command struct {
	name        string // a group and a name, or a name
	short       string // for completion
	help        string // printed after the usage line
	args        string
	least, most int // numbers of arguments
	setup       func(c *call) action
}

// An action runs a command with its arguments. The function that returns it has declared the flags.
type action func(args []string) error

// A call has the flags and the streams of a command.
type call struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	flags  *flag.FlagSet // only declares: package cli parses
}

// unlimited is a number of arguments.
const unlimited = math.MaxInt

var commands = []command{
	{"schema export", "print the schema of a type", exportHelp, "PACKAGE.NAME", 1, 1, exportSchema},
	{"schema print", "print a schema as a table", printHelp, "FILE", 1, 1, printSchema},
	{"schema check", "report whether old and new code read each other's bytes", checkHelp, "[-reader new|old] OLD NEW, or -against REVISION [PACKAGES]", 0, unlimited, checkSchemas},
	{"decode", "print bytes as JSON", decodeHelp, "[-schema SCHEMA] [-stream] [-fingerprint] [-salvage] [FILE]", 0, 1, decodeFile},
	{"encode", "encode JSON as bytes", encodeHelp, "-schema SCHEMA [-stream] [-fingerprint] [FILE]", 0, 1, encodeFile},
	{"gen", "generate types and codecs", genHelp, "-ts|-python [-o FILE [-streams]] SCHEMA, or -ts|-python -package NAME -o DIR SCHEMA, or -ts|-python -runtime, or -go [-o FILE] [-check] [-all] [TYPE...]", 0, unlimited, generateCode},
	{"client", "print a client of an API", clientHelp, "-ts [-o FILE] SOURCE", 1, 1, makeClient},
	{"openapi export", "print the OpenAPI document of an API", openapiExportHelp, "[-yaml] [-title TITLE] [-version VERSION] [-o FILE] PACKAGE.NAME", 1, 1, exportDocument},
	{"openapi diff", "list the changes that break clients", diffHelp, "[-all] OLD NEW", 2, 2, diffDocuments},
	{"migrate", "move the imports of a module to Hone, and back", migrateHelp, "[-w] [-revert] [-only VALUES] [-skip VALUES] [-deps MODULES] [-hone VERSION|DIR] [-test] [PACKAGES]", 0, unlimited, migrateModule},
	{"try", "measure what a module would gain from Hone", tryHelp, "[-only VALUES] [-bench REGEXP] [-count N] [-limit TIME] [-json FILE] [-hone VERSION|DIR] [PACKAGES], or -run PROGRAM -load COMMAND, or -profile FILE", 0, unlimited, tryModule},
	{"version", "print the version of hone", versionHelp, "", 0, 0, printVersion},
}

var (
	// errNo means that a check failed, or that a comparison found differences. The command has
	// printed them.
	errNo = errors.New("no")
	// errUsage means that hone was called with invalid arguments.
	errUsage = errors.New("invalid usage")
	// errShown means that the usage is invalid and the list of commands was printed.
	errShown = errors.New("shown")
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes the command of args and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "-h")
	}
	err := root(stdin, stdout, stderr).Run(context.Background(), append([]string{"hone"}, args...))
	var file *fs.PathError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNo):
		return 1
	case errors.Is(err, errShown):
		return 2
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "hone:", strings.Replace(err.Error(), ": "+errUsage.Error(), "", 1))
		return 2
	case errors.Is(err, errUnread):
		fmt.Fprintln(stderr, "hone:", strings.TrimPrefix(err.Error(), errUnread.Error()+": "))
		return 2
	}
	fmt.Fprintln(stderr, "hone:", err)
	if errors.As(err, &file) {
		return 2
	}
	return 1
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
