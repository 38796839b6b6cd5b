package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A drawing is a graph of the files of a package. An arrow from a file to another means that the
// first uses a name that the second declares.
type drawing struct {
	files  []string
	arrows map[[2]int][]string // the names that are used, by the indexes of the using and the used file
}

// A checker type-checks packages of one module. It checks each imported package once, even if
// several packages import it.
type checker struct {
	fset     *token.FileSet
	importer types.Importer
}

func newChecker() *checker {
	fset := token.NewFileSet()
	return &checker{fset, importer.ForCompiler(fset, "source", nil)}
}

// draw type-checks the package in a directory, without its tests, and returns its drawing.
func (c *checker) draw(dir string) (*drawing, error) {
	found, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	d := &drawing{files: found.GoFiles, arrows: map[[2]int][]string{}}
	index := map[string]int{}
	var files []*ast.File
	for i, name := range found.GoFiles {
		f, err := parser.ParseFile(c.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		index[name] = i
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	// The importer resolves packages relative to the working directory.
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	conf := types.Config{Importer: c.importer}
	pkg, err := conf.Check(found.Name, c.fset, files, info)
	if failed := os.Chdir(back); err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	fileOf := func(p token.Pos) int { return index[filepath.Base(c.fset.File(p).Name())] }
	for id, o := range info.Uses {
		if o = declared(o, pkg); o == nil {
			continue
		}
		if arrow := [2]int{fileOf(id.Pos()), fileOf(o.Pos())}; arrow[0] != arrow[1] && !slices.Contains(d.arrows[arrow], o.Name()) {
			d.arrows[arrow] = append(d.arrows[arrow], o.Name())
		}
	}
	return d, nil
}

// declared returns the declaration to which o belongs, if it is a package-level declaration of pkg,
// a field or a method. For an instance of a generic declaration it returns the generic one.
func declared(o types.Object, pkg *types.Package) types.Object {
	if o.Pkg() != pkg || !o.Pos().IsValid() {
		return nil
	}
	switch x := o.(type) {
	case *types.Func:
		return x.Origin()
	case *types.Var:
		if x.IsField() {
			return x.Origin()
		}
	case *types.TypeName, *types.Const:
	default:
		return nil
	}
	if o.Parent() != pkg.Scope() {
		return nil
	}
	return o
}

// order returns the files from top to bottom, in an order with few arrows upward. It starts from
// several initial orders, moves single files to their best positions in each, and returns the order
// with the fewest arrows upward.
func (d *drawing) order() (best []int) {
	n := len(d.files)
	least := -1
	for begin := range 2 * n {
		order := make([]int, n)
		for i := range order {
			order[i] = (i + begin) % n
		}
		if begin%2 == 0 {
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.rank(b), d.rank(a)) })
		}
		for moved := true; moved; {
			moved = false
			for at := range order {
				if to := d.bestPlace(order, at); to != at {
					f := order[at]
					order = slices.Insert(slices.Delete(order, at, at+1), to, f)
					moved = true
				}
			}
		}
		if up := d.upward(order); least < 0 || up < least {
			least, best = up, order
		}
	}
	return best
}

// rank returns the number of arrows that leave a file, minus the number of arrows that reach it.
func (d *drawing) rank(file int) (rank int) {
	for i := range d.files {
		rank += d.has(file, i) - d.has(i, file)
	}
	return rank
}

func (d *drawing) has(from, to int) int {
	if d.arrows[[2]int{from, to}] != nil {
		return 1
	}
	return 0
}

// bestPlace returns the position in order at which the file order[at] would have the fewest arrows
// upward.
func (d *drawing) bestPlace(order []int, at int) (best int) {
	f, gain, most := order[at], 0, 0
	best = at
	for i := at - 1; i >= 0; i-- {
		if gain += d.has(f, order[i]) - d.has(order[i], f); gain > most {
			most, best = gain, i
		}
	}
	gain = 0
	for i := at + 1; i < len(order); i++ {
		if gain += d.has(order[i], f) - d.has(f, order[i]); gain > most {
			most, best = gain, i
		}
	}
	return best
}

// upward counts the arrows from a file to one above it.
func (d *drawing) upward(order []int) (count int) {
	for i, from := range order {
		for _, to := range order[:i] {
			count += d.has(from, to)
		}
	}
	return count
}

// print writes the drawing: the files from top to bottom, each with its arrows upward.
func (d *drawing) print(w io.Writer, name string) {
	order := d.order()
	fmt.Fprintf(w, "%s: %d files, %d arrows, %d upward\n", name, len(d.files), len(d.arrows), d.upward(order))
	for i, from := range order {
		var up []string
		for _, to := range order[:i] {
			if names := d.arrows[[2]int{from, to}]; names != nil {
				up = append(up, d.files[to]+" ("+strings.Join(slices.Sorted(slices.Values(names)), " ")+")")
			}
		}
		fmt.Fprintf(w, "  %-24s%s\n", d.files[from], strings.Join(up, ", "))
	}
}

// A limit is the maximum number of files, and of arrows upward, of a package.
type limit struct{ files, upward int }

// broken returns a sentence for each limit that a package below root exceeds.
func broken(root string, limits map[string]limit) (list []string, err error) {
	c := newChecker()
	for _, pkg := range slices.Sorted(maps.Keys(limits)) {
		d, err := c.draw(filepath.Join(root, filepath.FromSlash(pkg)))
		if err != nil {
			return nil, err
		}
		l, up := limits[pkg], d.upward(d.order())
		if len(d.files) > l.files {
			list = append(list, fmt.Sprintf("%s has %d files, %d are allowed", pkg, len(d.files), l.files))
		}
		if up > l.upward {
			list = append(list, fmt.Sprintf("%s has %d arrows upward, %d are allowed: go run ./internal/test/arch/floors ./%s", pkg, up, l.upward, pkg))
		}
	}
	return list, nil
}
