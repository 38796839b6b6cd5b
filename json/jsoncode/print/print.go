// Package print generates Go files that call package json/jsoncode: JSON encoders and decoders for
// struct types.
//
// The command "hone gen -go -json" uses this package. It adds a file that calls [Main] to the package
// of the types, and runs the file.
//
// The printer reads descriptions of the programs and nodes that the JSON engine compiles: the steps
// of an encoder, and the fields of a decoder. It prints statements for each step and each field. If
// the printer does not support the type of a field, the generated code calls the engine for it.
package print

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/shape"
)

// A Type is a type to generate code for.
type Type struct{ typ reflect.Type }

// Of returns T.
func Of[T any]() Type { return Type{reflect.TypeFor[T]()} }

// Options describe the generated file.
type Options = gosource.Options

// Codecs are a package of Hone, and the types for which its code is generated.
type Codecs = gosource.Codecs

// For returns the codecs of package json for the types.
func For(types ...Type) Codecs { return list(types) }

// Main prints the file with all codecs to the standard output and exits with 0. If there is an error,
// it prints the error to the standard error and exits with 1.
func Main(o Options, codecs ...Codecs) { gosource.Main(o, codecs...) }

// File returns the source of a file in the package in which all types are declared. If no code can be
// generated for a type, the error names the type.
func File(o Options, types ...Type) ([]byte, error) { return gosource.Source(o, For(types...)) }

// runtimePath is the package that generated code calls.
const runtimePath = "github.com/hone-go/hone/json/jsoncode"

type list []Type

// Print returns the methods and functions for the types. It implements [Codecs].
func (types list) Print(to *gosource.File, lenient bool) (string, error) {
	f := file{File: to, code: to.Import(runtimePath, "jsoncode")}
	f.encoders = functions{method: "HoneEncodeJSON", result: "Encoding", noun: "encoder", of: map[reflect.Type]*function{}}
	f.decoders = functions{method: "HoneDecodeJSON", result: "Decoding", noun: "decoder", of: map[reflect.Type]*function{}}
	for _, t := range types {
		fn, err := f.listed(t.typ)
		if err == nil {
			f.encoders.listed = append(f.encoders.listed, fn)
			if fn := f.decoder(t.typ); fn != nil {
				f.decoders.listed = append(f.decoders.listed, fn)
			}
		} else if !lenient {
			return "", err
		}
	}
	var out strings.Builder
	for _, set := range []*functions{&f.encoders, &f.decoders} {
		for _, fn := range set.listed {
			f.printMethod(&out, set, fn)
		}
	}
	for _, fn := range f.encoders.queue {
		fmt.Fprintf(&out, "\n// %s appends the JSON of *v.\nfunc %s(e *%s.Encoder, p *%s.Program, dst []byte, v *%s) []byte {\n%s}\n",
			fn.name, fn.name, f.code, f.code, fn.typ, f.encodeBody(fn))
	}
	for _, fn := range f.decoders.queue {
		fmt.Fprintf(&out, "\n// %s reads the object at position i into *v.\nfunc %s(d *%s.Decoder, o *%s.Object, i int, v *%s) int {\n%s}\n",
			fn.name, fn.name, f.code, f.code, fn.typ, f.decodeBody(fn))
	}
	return out.String(), nil
}

// printMethod prints the method that returns fn, together with the functions that fn needs.
func (f *file) printMethod(out *strings.Builder, set *functions, fn *function) {
	inner := ""
	for _, i := range fn.inner(set.listed) {
		inner += ",\n\t\t" + f.coding(set, i, "")
	}
	if inner != "" {
		inner += ",\n\t"
	}
	fmt.Fprintf(out, "\n// %s returns the %s of %s for package json.\nfunc (*%s) %s() %s.%s {\n\treturn %s\n}\n",
		set.method, set.noun, fn.typ, fn.typ, set.method, f.code, set.result, f.coding(set, fn, inner))
}

// coding returns the expression that a generated method returns: a call of EncodingOf or DecodingOf
// with fn. inner contains the further arguments, which are the functions of other types, or is "".
func (f *file) coding(set *functions, fn *function, inner string) string {
	return fmt.Sprintf("%s.%sOf(%#x, %s%s)", f.code, set.result, fn.fingerprint, fn.name, inner)
}

// A file collects the functions of package json in one generated file.
type file struct {
	*gosource.File
	code     string // name of the runtime package in the file
	encoders functions
	decoders functions
}

// functions contains all encoders or all decoders of a file.
type functions struct {
	method string // the generated method that returns a function
	result string // the type of its result in the runtime package
	noun   string // "encoder" or "decoder", for comments

	of     map[reflect.Type]*function // nil for a type without a function
	queue  []*function                // in the order in which they are printed
	listed []*function                // the functions of the types that the user has listed
}

// A function encodes or decodes the values of one struct type.
type function struct {
	name        string
	typ         string         // name of the type in the file
	steps       []encode.Step  // of an encoder
	fields      []decode.Field // of a decoder
	fingerprint uint64
	refers      []*function // the functions of the types in its fields
}

// listed returns the encoder for the type t, which the user has listed.
func (f *file) listed(t reflect.Type) (*function, error) {
	switch {
	case t.Name() == "" || t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("no code can be generated for %v: it is not a named struct type", t)
	case strings.Contains(t.Name(), "["):
		return nil, fmt.Errorf("no code can be generated for %v: it has type parameters", t)
	}
	for _, set := range []*functions{&f.encoders, &f.decoders} {
		if err := gosource.Conflict(t, set.method); err != nil {
			return nil, err
		}
	}
	if _, _, ok := encode.Steps(t); !ok {
		return nil, fmt.Errorf("no code can be generated for %v: its methods encode it", t)
	}
	f.Path = t.PkgPath()
	fn := f.encoder(t)
	if fn == nil {
		return nil, fmt.Errorf("no code can be generated for %v: generated code cannot name the type or one of its fields", t)
	}
	return fn, nil
}

// encoder returns the encoder for the struct type t. It returns nil if the file cannot name the
// type or access its fields.
func (f *file) encoder(t reflect.Type) *function {
	if fn, ok := f.encoders.of[t]; ok {
		return fn
	}
	f.encoders.of[t] = nil
	steps, fingerprint, ok := encode.Steps(t)
	if !ok || t.Name() == "" || !f.access(steps) {
		return nil
	}
	name, ok := f.TypeName(t)
	if !ok {
		return nil
	}
	fn := &function{name: "append" + f.Function(name, "append"), typ: name, steps: steps, fingerprint: fingerprint}
	f.encoders.of[t] = fn
	f.encoders.queue = append(f.encoders.queue, fn)
	// The engine encodes some of the fields. The types of these fields get functions too, because
	// the engine calls them.
	for _, s := range steps {
		if s.Form != encode.FormEngine || s.Type == nil {
			continue
		}
		if elem := structIn(s.Type); elem != nil {
			if inner := f.encoder(elem); inner != nil {
				fn.refers = append(fn.refers, inner)
			}
		}
	}
	return fn
}

// access finds the steps whose field is an unexported field of another package, which the file
// cannot access. It changes the form of these steps so that the engine encodes the field. It
// returns false if generated code would have to test such a field for omission: it cannot read the
// field, and it cannot let the engine do only this test.
func (f *file) access(steps []encode.Step) bool {
	for i := range steps {
		s := &steps[i]
		if s.Package == "" || s.Package == f.Path {
			continue
		}
		if s.Form == encode.FormTest {
			return false
		}
		s.Form = encode.FormEngine
	}
	return true
}

// structIn returns t if it is a struct type, or else the struct type that is reached first by
// following element types. It returns nil if there is no such type.
func structIn(t reflect.Type) reflect.Type {
	// seen ends the loop for a type such as type T map[string]T.
	for seen := map[reflect.Type]bool{}; !seen[t]; {
		seen[t] = true
		s := shape.Of(t)
		switch {
		case s.Kind == shape.Struct:
			return t
		case s.Elem == nil || s.Elem.Type == nil:
			return nil
		}
		t = s.Elem.Type
	}
	return nil
}

// inner returns the functions that fn calls, directly or indirectly. It omits the functions in
// listed, because their types have methods that return them.
func (fn *function) inner(listed []*function) []*function {
	var all []*function
	seen := map[*function]bool{fn: true}
	for _, l := range listed {
		seen[l] = true
	}
	var visit func(fn *function)
	visit = func(fn *function) {
		for _, r := range fn.refers {
			if !seen[r] {
				seen[r] = true
				all = append(all, r)
				visit(r)
			}
		}
	}
	visit(fn)
	return all
}
