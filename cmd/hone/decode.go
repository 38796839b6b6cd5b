package main

import (
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

const decodeHelp = `Prints what FILE, or the standard input, holds as JSON: one value, or with -stream
a line for each of the length-framed records that wire.Encoder writes.

Bytes and what a type's own binary method made are base64, NaN and infinities
strings, and maps whose keys are not strings or numbers lists of pairs.
`

func decodeFile(c *call) error {
	file := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made")
	stream := c.flags.Bool("stream", false, "FILE is a stream of records")
	fingerprint := c.flags.Bool("fingerprint", false, "the stream begins with the schema's fingerprint, which is checked")
	args, err := c.parse(0, 1)
	if err != nil {
		return err
	}
	if *file == "" {
		return fmt.Errorf("-schema is missing: %w", errAsked)
	}
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	if name == "-" && *file == "-" {
		return fmt.Errorf("only one of schema and bytes can come from the standard input: %w", errAsked)
	}
	s, err := c.loadSchema(*file)
	if err != nil {
		return err
	}
	data, err := c.read(name)
	if err != nil {
		return err
	}
	from := 0 // where the first record is
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
	var fault *schema.DecodeError
	if errors.As(err, &fault) {
		fault.Offset += from
	}
	// What was decoded before a fault is printed too.
	if _, failed := c.stdout.Write(out); err == nil {
		err = failed
	}
	return err
}
