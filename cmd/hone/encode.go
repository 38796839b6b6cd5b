package main

import (
	"fmt"
)

const encodeHelp = `Writes the bytes of the value that FILE, or the standard input, has as JSON: one
value, or with -stream each of several as a record behind its length, as
wire.Encoder writes them. It undoes hone decode. The form of the JSON is in
docs/wire-schema.md.

  hone encode -schema user.json user.txt > user.bin
  hone encode -schema user.json -stream -fingerprint < users.jsonl > users.bin
`

func encodeFile(c *call) error {
	file := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made")
	stream := c.flags.Bool("stream", false, "FILE has values with white space between them, which become records")
	fingerprint := c.flags.Bool("fingerprint", false, "begin the stream with the schema's fingerprint")
	s, name, err := c.schemaAndFile(file)
	if err != nil {
		return err
	}
	text, err := c.read(name)
	if err != nil {
		return err
	}
	var out []byte
	if *fingerprint {
		f := s.Fingerprint()
		out = append(out, f[:]...)
	}
	if *stream || *fingerprint {
		out, err = s.EncodeJSONLines(out, text)
	} else {
		out, err = s.EncodeJSON(out, text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = c.stdout.Write(out)
	return err
}
