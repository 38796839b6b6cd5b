package main

import (
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

const decodeHelp = `Prints what FILE, or the standard input, holds as JSON: one value, or with -stream
a line for each of the records that wire.Encoder writes, each behind its length.
If the bytes are not what the schema says, nothing is printed but where the fault
is. The form of the JSON is in docs/wire-schema.md; hone encode makes the same
bytes of it.

  hone decode -schema user.json user.bin
  curl -s http://127.0.0.1:8080/users | hone decode -schema user.json -stream
`

func decodeFile(c *call) error {
	file := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made")
	stream := c.flags.Bool("stream", false, "FILE is a stream of records")
	fingerprint := c.flags.Bool("fingerprint", false, "the stream begins with the schema's fingerprint, which is checked")
	s, name, err := c.schemaAndFile(file)
	if err != nil {
		return err
	}
	data, err := c.read(name)
	if err != nil {
		return err
	}
	from := 0 // the offset of the first record
	if *fingerprint {
		want := s.Fingerprint()
		if len(data) < len(want) || schema.Fingerprint(data[:len(want)]) != want {
			return fmt.Errorf("%s does not begin with the fingerprint %v", name, want)
		}
		*stream, from = true, len(want)
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

// schemaAndFile parses the flags, and returns the schema and the name of the input file.
func (c *call) schemaAndFile(file *string) (s *schema.Schema, name string, err error) {
	args, err := c.parse(0, 1)
	if err != nil {
		return nil, "", err
	}
	if *file == "" {
		return nil, "", fmt.Errorf("-schema is missing: %w", errAsked)
	}
	name = "-"
	if len(args) > 0 {
		name = args[0]
	}
	if name == "-" && *file == "-" {
		return nil, "", fmt.Errorf("only one of schema and FILE can come from the standard input: %w", errAsked)
	}
	s, err = c.loadSchema(*file)
	return s, name, err
}
