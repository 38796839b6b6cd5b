package migrate

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// A config is a build configuration: a platform with build tags, or a single file that is built
// alone. The zero value has the settings of the user's environment.
type config struct {
	goos, goarch string
	cgo          bool
	tags         string // separated by commas
	file         string // a file that is built alone, as "go run FILE" does
}

// maxConfigs is the maximum number of build configurations. All packages are checked in each
// configuration.
const maxConfigs = 8

func (c config) environ() []string {
	if c.goos == "" {
		return nil
	}
	cgo := "CGO_ENABLED=0"
	if c.cgo {
		cgo = "CGO_ENABLED=1"
	}
	return []string{"GOOS=" + c.goos, "GOARCH=" + c.goarch, cgo}
}

func (c config) flags() []string {
	if c.tags == "" {
		return nil
	}
	return []string{"-tags=" + c.tags}
}

func (c config) String() string {
	switch {
	case c.file != "":
		return filepath.Base(c.file) + " as a package of its own"
	case c.goos == "":
		return "the build for this platform"
	}
	s := c.goos + "/" + c.goarch
	if c.tags != "" {
		s += " with the tags " + c.tags
	}
	return s
}

// matches reports whether the go command includes a file in this configuration.
func (c config) matches(path string) bool {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = c.goos, c.goarch, c.cgo
	ctx.BuildTags, ctx.UseAllFiles = nil, false
	if c.tags != "" {
		ctx.BuildTags = strings.Split(c.tags, ",")
	}
	ok, err := ctx.MatchFile(filepath.Dir(path), filepath.Base(path))
	return ok && err == nil && (c.cgo || !importsC(path))
}

// importsC reports whether a file imports "C". Only builds with cgo include such a file.
func importsC(path string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	return err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// The platforms that are tried, in this order.
var platforms = [][2]string{
	{"linux", "amd64"}, {"windows", "amd64"}, {"darwin", "arm64"}, {"freebsd", "amd64"}, {"js", "wasm"}, {"wasip1", "wasm"},
	{"linux", "arm64"}, {"linux", "386"}, {"openbsd", "amd64"}, {"netbsd", "amd64"}, {"solaris", "amd64"}, {"plan9", "amd64"},
	{"aix", "ppc64"}, {"android", "arm64"}, {"ios", "arm64"}, {"linux", "arm"}, {"linux", "riscv64"}, {"linux", "s390x"},
	{"linux", "ppc64le"}, {"linux", "loong64"}, {"illumos", "amd64"}, {"dragonfly", "amd64"},
}

// configsFor returns a small number of configurations that together include the files, and the
// files that no configuration includes. The platform of the environment comes first, with cgo as in the
// environment. The go command does not use cgo for other platforms, so they are tried without cgo first.
func configsFor(files []string, tagsOf map[string][]string, goos, goarch string, cgo bool) (configs []config, rest []string) {
	rest = slices.Clone(files)
	tries := []config{}
	sets := []string{""}
	for _, f := range files {
		if tags := tagsOf[f]; len(tags) > 0 {
			// The file is tried with all tags of its constraint, and with each tag alone.
			sets = append(sets, strings.Join(tags, ","))
			sets = append(sets, tags...)
		}
	}
	for i, p := range append([][2]string{{goos, goarch}}, platforms...) {
		first := i == 0 && cgo
		for _, set := range sets {
			tries = append(tries, config{goos: p[0], goarch: p[1], tags: set, cgo: first}, config{goos: p[0], goarch: p[1], tags: set, cgo: !first})
		}
	}
	for len(rest) > 0 && len(configs) < maxConfigs {
		best, most := -1, 0
		for i, c := range tries {
			// A file that this machine's platform includes is checked on this platform: another
			// platform could lack other files.
			if most > 0 && tries[best].goos == goos && tries[best].goarch == goarch && (c.goos != goos || c.goarch != goarch) {
				break
			}
			n := 0
			for _, f := range rest {
				if c.matches(f) {
					n++
				}
			}
			if n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		c := tries[best]
		configs = append(configs, c)
		rest = slices.DeleteFunc(rest, c.matches)
	}
	return configs, rest
}

// loadOtherConfigs chooses build configurations that include the files in rest, and loads the packages in
// each of them. A file with the build tag ignore is loaded alone, as "go run FILE" does. The imports of a
// file that no loaded configuration includes do not change.
func (p *planner) loadOtherConfigs(rest map[*source]string, patterns, targets []string) error {
	// The remaining files are not part of any package that was loaded.
	words, exprs := map[string][]string{}, map[string]string{}
	var alone, files []string
	for s, path := range rest {
		words[path], exprs[path] = tags(s.data)
		if slices.Contains(words[path], "ignore") {
			alone = append(alone, path)
		} else {
			files = append(files, path)
		}
	}
	slices.Sort(alone)
	slices.Sort(files)
	configs, _ := configsFor(files, words, p.m.goos, p.m.goarch, p.m.cgo)
	for _, path := range alone {
		if len(configs) < maxConfigs {
			configs = append(configs, config{file: path})
		}
	}
	for _, c := range configs {
		p.progress("loading packages for %s", c)
		g, err := p.load(c, patterns, targets)
		if err != nil {
			if p.m.ctx.Err() != nil {
				return err
			}
			continue // the files of this configuration are reported as not checked
		}
		g.share(p.graphs)
		p.graphs = append(p.graphs, g)
		p.deleteCovered(rest, g)
	}
	for s, path := range rest {
		why := "none of the build configurations that hone migrate tries includes this file"
		if exprs[path] != "" {
			why += " (" + exprs[path] + ")"
		}
		for _, u := range s.units {
			if u.change {
				u.change, u.cause, u.reason = false, ruleUnchecked, "not checked: "+why
			}
		}
	}
	return nil
}

// deleteCovered deletes from rest the files that a graph includes.
func (p *planner) deleteCovered(rest map[*source]string, g *graph) {
	g.lists(func(path string, n *node) {
		if s := p.byPath[filepath.Clean(path)]; s != nil && (n.own || s.path != "") {
			delete(rest, s)
		}
	})
}

// tags returns the words of a file's build constraint that are neither a platform nor a release
// of Go, and the constraint as it is written in the file.
func tags(data []byte) (words []string, expr string) {
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "package ") {
			break
		}
		if !constraint.IsGoBuild(text) {
			continue
		}
		x, err := constraint.Parse(text)
		if err != nil {
			return nil, text
		}
		var visit func(constraint.Expr)
		visit = func(x constraint.Expr) {
			switch x := x.(type) {
			case *constraint.AndExpr:
				visit(x.X)
				visit(x.Y)
			case *constraint.OrExpr:
				visit(x.X)
				visit(x.Y)
			case *constraint.NotExpr:
				visit(x.X)
			case *constraint.TagExpr:
				if !known(x.Tag) && !slices.Contains(words, x.Tag) {
					words = append(words, x.Tag)
				}
			}
		}
		visit(x)
		return words, text
	}
	return nil, ""
}

func known(tag string) bool {
	if tag == "cgo" || tag == "gc" || tag == "gccgo" || tag == "unix" || strings.HasPrefix(tag, "go1.") || strings.HasPrefix(tag, "goexperiment.") {
		return true
	}
	return slices.ContainsFunc(platforms, func(p [2]string) bool { return p[0] == tag || p[1] == tag })
}
