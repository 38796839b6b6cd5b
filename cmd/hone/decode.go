package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire/container"
	"github.com/hone-go/hone/wire/schema"
)

const decodeHelp = `Prints the value in FILE, or in the standard input, as JSON. With -stream the input is
a stream written by a wire.Encoder, and each record is printed on a line. The records
of a container of package wire/container are printed on lines too; the header of the
container has the schema. If the bytes do not match the schema, nothing is printed
except an error with the offset of the fault. docs/wire-schema.md describes the JSON,
which hone encode converts back to the same bytes.

With -salvage the command prints every record of a damaged stream or container that
can be read. It reports each loss on the standard error. The exit code is 1 if
anything was lost.

  hone decode -schema user.json user.bin
  curl -s http://127.0.0.1:8080/users | hone decode -schema user.json -stream
  hone decode readings.hwc
  hone decode -salvage readings.hwc > readings.jsonl
`

func decodeFile(c *call) action {
	file := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made; not needed for a container with a schema")
	stream := c.flags.Bool("stream", false, "FILE is a stream of records")
	fingerprint := c.flags.Bool("fingerprint", false, "the stream begins with the schema's fingerprint, which is checked")
	salvage := c.flags.Bool("salvage", false, "print every record that can be read, and each loss on the standard error")
	return func(args []string) error {
		name, err := inputFile(*file, args)
		if err != nil {
			return err
		}
		if *file == "" && (*stream || *fingerprint) {
			return fmt.Errorf("use -schema to name the file with the schema of the bytes: %w", errUsage)
		}
		var s *schema.Schema
		if *file != "" {
			if s, err = c.loadSchema(*file); err != nil {
				return err
			}
		}
		data, err := c.read(name)
		if err != nil {
			return err
		}
		if s == nil || !*stream && !*fingerprint && bytes.HasPrefix(data, []byte(container.Magic)) {
			return c.decodeContainer(s, name, data, *salvage)
		}
		from := 0 // the offset of the first record
		if *fingerprint {
			want := s.Fingerprint()
			if len(data) < len(want) || schema.Fingerprint(data[:len(want)]) != want {
				return fmt.Errorf("%s does not begin with the fingerprint %v", name, want)
			}
			*stream, from = true, len(want)
		}
		if *salvage {
			if !*stream {
				return fmt.Errorf("-salvage requires -stream, or a container: %w", errUsage)
			}
			return c.salvageStream(s, data, from)
		}
		var out []byte
		if *stream {
			out, err = s.AppendJSONLines(nil, data[from:])
		} else if out, err = s.AppendJSON(nil, data); err == nil {
			out = append(out, '\n')
		}
		if fault := (*schema.DecodeError)(nil); errors.As(err, &fault) {
			fault.Offset += from
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err = c.stdout.Write(out)
		return err
	}
}

// inputFile returns the name of the input file in args; "-" is the standard input. schema is the value of the
// flag -schema. Only one of the two files can be the standard input.
func inputFile(schema string, args []string) (name string, err error) {
	name = "-"
	if len(args) > 0 {
		name = args[0]
	}
	if name == "-" && schema == "-" {
		return "", fmt.Errorf("only one of -schema and FILE can be the standard input: %w", errUsage)
	}
	return name, nil
}

// schemaAndFile returns the schema in file, which is the value of the flag -schema, and the name of the input
// file in args.
func (c *call) schemaAndFile(file string, args []string) (s *schema.Schema, name string, err error) {
	if name, err = inputFile(file, args); err != nil {
		return nil, "", err
	}
	if file == "" {
		return nil, "", fmt.Errorf("use -schema to name the file with the schema of the bytes: %w", errUsage)
	}
	s, err = c.loadSchema(file)
	return s, name, err
}
