package print

import (
	"bytes"
	"fmt"
	"go/token"
	"io"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Type is a type to generate code for.
type Type struct {
	typ  reflect.Type
	spec *spec.Spec
	err  error
}

// Of returns the Type for T. The arguments are the results of wire.For[T]. The caller has to pass
// them, because this package does not import wire. Thereby tests of package wire can use generated
// code too.
func Of[T any](codec any, err error) Type {
	t := Type{typ: reflect.TypeFor[T](), err: err}
	if err == nil {
		c := reflect.ValueOf(codec).Convert(reflect.TypeFor[*program.Codec[T]]()).Interface()
		t.spec = c.(*program.Codec[T]).Runner().Root
	}
	return t
}

// Options describe the generated file.
type Options = gosource.Options

// Codecs are a package of Hone, and the types for which its code is generated.
type Codecs = gosource.Codecs

// For returns the codecs of package wire for the types.
func For(types ...Type) Codecs { return list(types) }

// Main prints the file with all codecs to the standard output and exits with 0. If there is an error,
// it prints the error to the standard error and exits with 1.
func Main(o Options, codecs ...Codecs) { gosource.Main(o, codecs...) }

// File returns the source of a file in the package in which all types are declared. If no code can
// be generated for a type, the error names the type.
func File(o Options, types ...Type) ([]byte, error) { return gosource.Source(o, For(types...)) }

type list []Type

// Print returns the methods and functions for the types. It implements [Codecs].
func (types list) Print(to *gosource.File, lenient bool) (string, error) {
	f := file{File: to, code: to.Import(runtimePath, "code"), names: map[reflect.Type]string{}}
	var listed []Type
	for _, t := range types {
		err := t.check()
		if err == nil {
			f.Path = t.typ.PkgPath()
			if _, ok := f.function(t.spec); !ok {
				err = fmt.Errorf("no code can be generated for %v: generated code cannot name the type or one of its fields", t.typ)
			}
		}
		switch {
		case err == nil:
			listed = append(listed, t)
		case !lenient:
			return "", err
		}
	}
	var out bytes.Buffer
	for _, t := range listed {
		name, functions := t.typ.Name(), f.names[t.typ]
		fmt.Fprintf(&out, "\n// HoneWire returns the codec of %s for package wire.\nfunc (*%s) HoneWire() %s.Codec { return %s.For(%#x, put%s, get%s) }\n",
			name, name, f.code, f.code, t.spec.Fingerprint(), functions, functions)
	}
	// Printing a function may add further ones, for the elements of its slices.
	for i := 0; i < len(f.queue); i++ {
		f.print(&out, f.queue[i])
	}
	return out.String(), nil
}

// check returns an error if no code can be generated for t.
func (t Type) check() error {
	switch {
	case t.err != nil:
		return t.err
	case t.typ.Name() == "" || t.spec.Form != spec.FormStruct:
		return fmt.Errorf("no code can be generated for %v: it is not a named struct type, or it has methods that encode it", t.typ)
	case strings.Contains(t.typ.Name(), "["):
		return fmt.Errorf("no code can be generated for %v: it has type parameters", t.typ)
	}
	return gosource.Conflict(t.typ, "HoneWire")
}

// runtimePath is the package that generated code calls.
const runtimePath = "github.com/hone-go/hone/wire/code"

// A file collects the functions of package wire in one generated file.
type file struct {
	*gosource.File
	code  string                  // name of the runtime package in the file
	names map[reflect.Type]string // names of the functions of each struct, without the prefixes put and get
	queue []*spec.Spec            // the structs in names, in the order of their functions
}

// function returns the name of the functions for s, a struct, without the prefixes put and get. ok
// is false if the file cannot name the type, or cannot access one of its fields.
func (f *file) function(s *spec.Spec) (name string, ok bool) {
	if name, ok := f.names[s.Type]; ok {
		return name, name != ""
	}
	f.names[s.Type] = ""
	if s.Form != spec.FormStruct || s.Type.Name() == "" || !f.accessible(s) {
		return "", false
	}
	if name, ok = f.TypeName(s.Type); !ok {
		return "", false
	}
	name = f.Function(name, "put", "get")
	f.names[s.Type] = name
	f.queue = append(f.queue, s)
	return name, true
}

// accessible reports whether the file can access all fields of s that are encoded, by their names.
func (f *file) accessible(s *spec.Spec) bool {
	for i := range s.Fields {
		if !token.IsExported(s.Fields[i].Name) && s.Type.PkgPath() != f.Path || s.Fields[i].Name == "_" && s.Fields[i].Spec.Form != spec.FormRemoved {
			return false
		}
	}
	return true
}

// print writes the two functions for s to w.
func (f *file) print(w io.Writer, s *spec.Spec) {
	name := f.names[s.Type]
	typ, _ := f.TypeName(s.Type)
	put, get, code := f.encoder(s), f.decoder(s), f.code
	fmt.Fprintf(w, "\n// put%s writes the fields of *v.\nfunc put%s(e *%s.Encoder, t *%s.Table, n int, v *%s) int {\n%s\treturn n\n}\n", name, name, code, code, typ, put)
	fmt.Fprintf(w, "\n// get%s reads the fields of *v.\nfunc get%s(d *%s.Decoder, t *%s.Table, pos int, v *%s) int {\n%s\treturn pos\n}\n", name, name, code, code, typ, get)
}
