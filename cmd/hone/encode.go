package main

import (
	"fmt"
)

const encodeHelp = `Encodes the JSON value in FILE, or in the standard input, and writes the bytes. With
-stream the input may have several values. Each of them is written as a record after
its length, as wire.Encoder does. The command is the inverse of hone decode.
docs/wire-schema.md describes the JSON.

  hone encode -schema user.json user.txt > user.bin
  hone encode -schema user.json -stream -fingerprint < users.jsonl > users.bin
`

func encodeFile(c *call) action {
	file := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made")
	stream := c.flags.Bool("stream", false, "FILE has several values, separated by white space; each becomes a record")
	fingerprint := c.flags.Bool("fingerprint", false, "begin the stream with the schema's fingerprint")
	return func(args []string) error {
		s, name, err := c.schemaAndFile(*file, args)
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
}
