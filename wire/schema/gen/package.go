package gen

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hone-go/hone/wire/schema"
)

// typeScriptPackage matches a package name of npm, perhaps with a scope.
var typeScriptPackage = regexp.MustCompile(`^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$`)

// pythonPackage matches the name of a Python package.
var pythonPackage = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)

// TypeScriptPackage returns the files of a package for npm, keyed by slash-separated path:
// package.json, tsconfig.json, and in src the module of [TypeScript] as index.ts, the runtime, and
// [TypeScriptStreams]. "npm run build" compiles it. The package exports the types and codecs as
// NAME, the runtime as NAME/wire and the streams as NAME/stream.
func TypeScriptPackage(name string, s *schema.Schema, names Names) (map[string][]byte, error) {
	if !typeScriptPackage.MatchString(name) {
		return nil, fmt.Errorf("gen: %q is not an npm package name; use lower-case letters, digits, - . and _, with an optional @scope/ before them", name)
	}
	code, err := TypeScriptNamed(s, names)
	if err != nil {
		return nil, err
	}
	type export struct {
		Types   string `json:"types"`
		Default string `json:"default"`
	}
	of := func(file string) export {
		file = "./dist/" + strings.TrimSuffix(file, ".ts")
		return export{file + ".d.ts", file + ".js"}
	}
	about, err := json.MarshalIndent(struct {
		Name            string            `json:"name"`
		Version         string            `json:"version"`
		Private         bool              `json:"private"`
		Type            string            `json:"type"`
		SideEffects     bool              `json:"sideEffects"`
		Files           []string          `json:"files"`
		Exports         map[string]export `json:"exports"`
		Scripts         map[string]string `json:"scripts"`
		DevDependencies map[string]string `json:"devDependencies"`
	}{
		name, "0.0.0", true, "module", false, []string{"dist"},
		map[string]export{".": of("index.ts"), "./wire": of(TypeScriptRuntimeName), "./stream": of(TypeScriptStreamsName)},
		map[string]string{"build": "tsc", "prepare": "tsc"}, map[string]string{"typescript": "^5.4.0"},
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	const config = `{
  "compilerOptions": {
    "strict": true,
    "target": "es2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "declaration": true,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`
	return map[string][]byte{
		"package.json": append(about, '\n'), "tsconfig.json": []byte(config), "src/index.ts": code,
		"src/" + TypeScriptRuntimeName: TypeScriptRuntime(), "src/" + TypeScriptStreamsName: TypeScriptStreams(),
	}, nil
}

// PythonPackage returns the files of a Python package, keyed by slash-separated path: pyproject.toml,
// and a directory src/NAME. NAME is the name of the package with _ instead of -. The directory
// contains:
//
//   - __init__.py, the module that [Python] returns;
//   - [PythonRuntimeName], the runtime;
//   - [PythonStreamsName], the streams;
//   - py.typed, which marks the package as typed.
func PythonPackage(name string, s *schema.Schema, names Names) (map[string][]byte, error) {
	if !pythonPackage.MatchString(name) {
		return nil, fmt.Errorf("gen: %q is not a Python package name; use lower-case letters, digits, - and _", name)
	}
	code, err := pythonModule(s, names, true)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf(`[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = %q
version = "0.0.0"
requires-python = ">=3.10"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
"*" = ["py.typed"]
`, name)
	dir := "src/" + strings.ReplaceAll(name, "-", "_") + "/"
	return map[string][]byte{
		"pyproject.toml": []byte(about), dir + "__init__.py": code, dir + "py.typed": nil,
		dir + PythonRuntimeName: PythonRuntime(), dir + PythonStreamsName: PythonStreams(),
	}, nil
}
