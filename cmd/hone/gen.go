package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/hone-go/hone/wire/schema"
	"github.com/hone-go/hone/wire/schema/gen"
)

const genHelp = `Prints a module in another language that reads and writes the values of SCHEMA:
a type for each type of the schema, and a codec for each type. SCHEMA is a file that
hone schema export made, or - for the standard input.

With -o the module is written to a file. The runtime that the module imports,
hone-wire.ts or hone_wire.py, is written to the same folder; several modules can share
it. With -streams hone also writes hone-stream.ts or hone_stream.py, which reads and
writes streams and containers of records. Without -o only the module is printed.
-runtime prints the runtime. The generated code needs no packages.

With -package NAME a package is written to the folder -o: package.json and
tsconfig.json, or pyproject.toml, and the modules and runtimes in src.

Properties are named after the fields in Go, in the style of the language. With -names
a JSON file names some of them, for example as they are called in JSON.

docs/wire-languages.md describes the types in both languages.

With -go hone writes hone_gen.go: codecs in Go for struct types of the package in this
folder, and for the structs in their slices. Package wire uses these codecs instead of
its own programs. -wire says so explicitly, and changes nothing else. Without TYPE and -o
each file of the folder that hone has written is made again, with the types and flags in
its first line. -check writes nothing, and fails if such a file is out of date.
docs/generated-code.md says when this pays, and why there is no -json any more.

  hone schema export example.org/app/model.User > user.json
  hone gen -ts -o src/user.ts user.json
  hone gen -python -streams -o app/user.py user.json
  hone gen -ts -package @example/user -o clients/user user.json
  hone schema export ./model.User | hone gen -python -o app/user.py -
  hone gen -go Order Item
  hone gen -go -check
`

// A generator generates code in one language.
type generator struct {
	generate    func(s *schema.Schema, names gen.Names) ([]byte, error)
	pack        func(name string, s *schema.Schema, names gen.Names) (map[string][]byte, error)
	runtime     func() []byte
	runtimeName string
	streams     func() []byte
	streamsName string
}

var (
	inTypeScript = generator{gen.TypeScriptNamed, gen.TypeScriptPackage, gen.TypeScriptRuntime, gen.TypeScriptRuntimeName, gen.TypeScriptStreams, gen.TypeScriptStreamsName}
	inPython     = generator{gen.PythonNamed, gen.PythonPackage, gen.PythonRuntime, gen.PythonRuntimeName, gen.PythonStreams, gen.PythonStreamsName}
)

func generateCode(c *call) action {
	ts := c.flags.Bool("ts", false, "generate TypeScript")
	python := c.flags.Bool("python", false, "generate Python, 3.10 or later")
	runtime := c.flags.Bool("runtime", false, "print only the runtime that generated modules import")
	streams := c.flags.Bool("streams", false, "also write the runtime for streams and containers of records")
	pack := c.flags.String("package", "", "write a package with this `name` to the folder -o")
	namesFile := c.flags.String("names", "", "take names of properties from this JSON `file`, such as {\"Reading.MemoryUsed\": \"memory_used\"}")
	out := c.flags.String("o", "", "write to this `file`, and the runtime to the same folder")
	inGo := c.flags.Bool("go", false, "generate Go code for the struct types TYPE of this folder's package")
	wire := c.flags.Bool("wire", false, "with -go: generate codecs for package wire, as without this flag")
	withJSON := c.flags.Bool("json", false, "removed: package json no longer uses generated code")
	all := c.flags.Bool("all", false, "with -go: for all struct types of the package, or of its tests if -o names a test file")
	check := c.flags.Bool("check", false, "with -go: do not write, and exit with 1 if the file is out of date")
	return func(args []string) error {
		switch {
		case *withJSON:
			return fmt.Errorf("-json was removed, because package json no longer uses generated code: leave out -json, and delete the files that only have such code: %w", errUsage)
		case *inGo && (*ts || *python || *runtime || *streams || *pack != "" || *namesFile != ""):
			return fmt.Errorf("-go can only be combined with -wire, -o, -all and -check: %w", errUsage)
		case *inGo:
			return c.generateGo(*out, args, *wire, *all, *check)
		case *all || *check || *wire:
			return fmt.Errorf("-wire, -all and -check require -go: %w", errUsage)
		case len(args) > 1:
			return fmt.Errorf("too many arguments: %w", errUsage)
		}
		if *ts == *python {
			return fmt.Errorf("exactly one of -ts, -python and -go is required: %w", errUsage)
		}
		language := inTypeScript
		if *python {
			language = inPython
		}
		switch {
		case *runtime && (len(args) > 0 || *out != "" || *pack != ""):
			return fmt.Errorf("-runtime cannot be combined with -o, -package or SCHEMA: %w", errUsage)
		case *runtime && *streams:
			_, err := c.stdout.Write(language.streams())
			return err
		case *runtime:
			_, err := c.stdout.Write(language.runtime())
			return err
		case len(args) == 0:
			return fmt.Errorf("SCHEMA is required; hone schema export writes such a file: %w", errUsage)
		case *out == "" && (*pack != "" || *streams):
			return fmt.Errorf("use -o to name the file to write, or the folder with -package: %w", errUsage)
		case *pack != "" && *streams:
			return fmt.Errorf("-streams cannot be combined with -package, which includes it: %w", errUsage)
		}
		s, err := c.loadSchema(args[0])
		if err != nil {
			return err
		}
		var names gen.Names
		if *namesFile != "" {
			text, err := os.ReadFile(*namesFile)
			if err == nil {
				err = json.Unmarshal(text, &names)
			}
			if err != nil {
				return fmt.Errorf("-names: %s: %w", *namesFile, err)
			}
		}
		if *pack != "" {
			files, err := language.pack(*pack, s, names)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return writeFiles(*out, files)
		}
		code, err := language.generate(s, names)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		if *out == "" {
			_, err = c.stdout.Write(code)
			return err
		}
		dir, name := filepath.Split(*out)
		if name == language.runtimeName || name == language.streamsName {
			return fmt.Errorf("-o %s would overwrite the runtime file; choose another name: %w", *out, errUsage)
		}
		files := map[string][]byte{name: code, language.runtimeName: language.runtime()}
		if *streams {
			files[language.streamsName] = language.streams()
		}
		return writeFiles(dir, files)
	}
}

// writeFiles writes files to a folder, by their paths with slashes.
func writeFiles(dir string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
