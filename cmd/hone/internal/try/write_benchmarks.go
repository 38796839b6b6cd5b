package try

import (
	_ "embed"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/tools/go/packages"
)

// writtenBenchmarks is the text of a written benchmark. It is a template of a Go file.
//
//go:embed written_benchmarks.go.tmpl
var writtenBenchmarks string

var writtenTemplate = template.Must(template.New("").Parse(writtenBenchmarks))

const (
	writtenFile = "hone_try_written_test.go"
	mostTypes   = 6  // in one package
	mostWritten = 12 // packages
)

// write writes benchmarks for the packages that encode or decode values and that no chosen benchmark reaches,
// builds them in both copies and profiles them.
func (r *runner) write(reached map[string]bool) ([]candidate, error) {
	var patterns []string
	for _, pkg := range r.changed {
		if !reached[pkg] {
			patterns = append(patterns, pkg)
		}
	}
	if len(patterns) == 0 || !slices.ContainsFunc(r.replaced, func(p string) bool { return p == stdlib || strings.Contains(p, "labstack/echo") }) {
		return nil, nil
	}
	r.o.Migrate.Progress("looking for types without a benchmark in %s", count(len(patterns), "package"))
	loaded, err := packages.Load(&packages.Config{
		Context: r.ctx, Dir: r.sides[0].dir, Env: append(os.Environ(), r.change.Environ()...), BuildFlags: r.change.CopyFlags(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var made []candidate
	n := 0
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 || len(pkg.GoFiles) == 0 || n == mostWritten {
			continue
		}
		hot := hotTypes(pkg, r.change.Module())
		if len(hot) == 0 {
			continue
		}
		dir, err := filepath.Rel(r.sides[0].dir, filepath.Dir(pkg.GoFiles[0]))
		if err != nil || !filepath.IsLocal(dir) {
			continue
		}
		n++
		c, err := r.writeFor(pkg, dir, hot[:min(len(hot), mostTypes)])
		if r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		if err != nil {
			r.fail("%s: a written benchmark: %s", pkg.PkgPath, firstLine(err.Error()))
			continue
		}
		made = append(made, c)
	}
	return made, nil
}

// writeFor writes, builds and profiles the benchmarks of one package.
func (r *runner) writeFor(pkg *packages.Package, dir string, hot []hotType) (candidate, error) {
	imports := map[string]string{}
	type typeData struct {
		Name, Text       string
		Encodes, Decodes bool
	}
	var list []typeData
	all := map[string]bool{}
	for _, h := range hot {
		for _, path := range h.imports {
			all[path] = true
		}
	}
	paths := slices.Sorted(maps.Keys(all))
	for _, h := range hot {
		text := h.text
		// Each type has its own numbers of imports: the file has one list.
		for i := len(h.imports) - 1; i >= 0; i-- {
			text = strings.ReplaceAll(text, alias(h.imports[i], h.imports)+".", "\x00"+alias(h.imports[i], paths)+".")
		}
		text = strings.ReplaceAll(text, "\x00", "")
		list = append(list, typeData{strings.ReplaceAll(h.name, " ", ""), text, h.encodes, h.decodes})
	}
	for _, path := range paths {
		imports[alias(path, paths)] = path
	}
	s := &suite{pkg: pkg.PkgPath, dir: dir, written: true, names: []string{"BenchmarkHoneTryWritten"}}
	for i, engine := range []string{stdlib, r.engine()} {
		f, err := os.Create(filepath.Join(r.sides[i].dir, dir, writtenFile))
		if err != nil {
			return candidate{}, err
		}
		err = writtenTemplate.Execute(f, map[string]any{
			"Package": pkg.Name, "Engine": engine, "Imports": imports, "Types": list, "Files": testData(r.sides[i].dir, dir),
		})
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return candidate{}, err
		}
	}
	if err := r.build(s); err != nil {
		return candidate{}, err
	}
	return r.profile(s, s.names[0])
}

// engine is the package that replaces encoding/json.
func (r *runner) engine() string {
	for m := range r.change.Moves() {
		if m.From == stdlib {
			return m.To
		}
	}
	return "github.com/hone-go/hone/json"
}
