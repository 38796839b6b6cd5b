package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hone-go/hone/wire/schema"
	"github.com/hone-go/hone/wire/schema/gen"
)

const genHelp = `Prints a module in another language that reads and writes what SCHEMA describes:
a type for each of the schema's, and a codec for each type. SCHEMA is a file that
hone schema export made, or - for the standard input.

With -o the module is written to a file, and beside it the runtime that it
imports, hone-wire.ts or hone_wire.py, which several modules can share. Without
-o only the module is printed; -runtime prints the runtime. Neither needs anything
but the language. docs/wire-languages.md says what becomes of each type.

  hone schema export example.org/app/model.User > user.json
  hone gen -ts -o src/user.ts user.json
  hone gen -python -o app/user.py user.json
  hone schema export ./model.User | hone gen -python -o app/user.py -
`

// A generator generates code in one language.
type generator struct {
	generate    func(*schema.Schema) ([]byte, error)
	runtime     func() []byte
	runtimeName string
}

var (
	inTypeScript = generator{gen.TypeScript, gen.TypeScriptRuntime, gen.TypeScriptRuntimeName}
	inPython     = generator{gen.Python, gen.PythonRuntime, gen.PythonRuntimeName}
)

func generateCode(c *call) error {
	ts := c.flags.Bool("ts", false, "generate TypeScript")
	python := c.flags.Bool("python", false, "generate Python, 3.10 or later")
	runtime := c.flags.Bool("runtime", false, "print only the runtime that generated modules import")
	out := c.flags.String("o", "", "write to this `file`, and the runtime to the same folder")
	args, err := c.parse(0, 1)
	if err != nil {
		return err
	}
	if *ts == *python {
		return fmt.Errorf("exactly one of -ts and -python is required: %w", errAsked)
	}
	language := inTypeScript
	if *python {
		language = inPython
	}
	if *runtime {
		if len(args) > 0 || *out != "" {
			return fmt.Errorf("-runtime takes neither -o nor SCHEMA: %w", errAsked)
		}
		_, err := c.stdout.Write(language.runtime())
		return err
	}
	if len(args) == 0 {
		return fmt.Errorf("SCHEMA is missing: %w", errAsked)
	}
	s, err := c.loadSchema(args[0])
	if err != nil {
		return err
	}
	code, err := language.generate(s)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if *out == "" {
		_, err = c.stdout.Write(code)
		return err
	}
	beside := filepath.Join(filepath.Dir(*out), language.runtimeName)
	if filepath.Base(*out) == language.runtimeName {
		return fmt.Errorf("-o %s is the file of the runtime: choose another name: %w", *out, errAsked)
	}
	if err := os.WriteFile(*out, code, 0o644); err != nil {
		return err
	}
	return os.WriteFile(beside, language.runtime(), 0o644)
}
