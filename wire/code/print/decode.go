package print

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// decoder returns the statements of the function that decodes s.
func (f *file) decoder(s *spec.Spec) string {
	all, starts := f.leaves(s)
	w := &writer{file: f}
	if usesInput(all) || s.Evolving && len(all) > 0 {
		w.line("in := d.In()")
	}
	field := 0
	for i := range all {
		// The input of an evolving struct may end before each of its fields.
		for ; field < len(starts) && starts[field] == i; field++ {
			if s.Evolving {
				w.line("if pos == len(in) {")
				w.line("return code.Rest(t, %d, pos, v)", field)
				w.line("}")
			}
		}
		w.line("// %s %s", all[i].path[1:], shape.TypeName(all[i].spec.Type))
		w.get(&all[i])
	}
	return w.String()
}

// usesInput reports whether the generated statement of a leaf needs the variable named "in", the
// input.
func usesInput(all []leaf) bool {
	for i := range all {
		l := &all[i]
		switch l.strategy {
		case byteArray, option, pointer:
			return true
		case single:
			if readsInput(l.spec) {
				return true
			}
		case entries:
			if readsInput(l.spec.Key) || readsInput(l.spec.Elem) {
				return true
			}
		}
	}
	return false
}

// readsInput reports whether the generated statement for a single value of s needs the variable
// named "in".
func readsInput(s *spec.Spec) bool { return s.Form != spec.FormText && s.Form != spec.FormTime }

// get writes the statement that decodes l.
func (w *writer) get(l *leaf) {
	switch l.strategy {
	case single:
		w.getSingle(l.spec, l.name, l.path)
	case byteArray:
		w.line("if len(in)-pos < %d {", l.spec.Count)
		w.line("return code.Truncated[%s](d, %q)", w.file.typeOf(l.spec), l.path)
		w.line("}")
		w.line("pos += copy(%s[:], in[pos:])", l.name)
	case option:
		w.flag(l)
		w.line("%s = %s{}", l.name, w.file.optionType(l.spec))
		w.line("default:")
		w.line("pos++")
		w.line("var x %s", w.file.typeOf(l.spec.Elem))
		w.getSingle(l.spec.Elem, "x", l.path)
		w.line("%s = %s.Some(x)", l.name, w.file.Import(l.spec.Type.PkgPath(), gosource.PackageName(l.spec.Type)))
		w.line("}")
	case pointer:
		w.flag(l)
		w.line("%s = nil", l.name)
		w.line("default:")
		w.line("if !code.New(d, &%s) {", l.name)
		w.line("return code.NoRoom[%s](d, pos, %q)", w.file.typeOf(l.spec), l.path)
		w.line("}")
		w.line("pos++")
		w.getSingle(l.spec.Elem, "*"+l.name, l.path)
		w.line("}")
	case each:
		w.call(l, fmt.Sprintf("code.GetEach(d, %s.Part(%d), pos, &%s, get%s)", l.table, l.field, l.name, l.fields))
	case slice:
		w.line("if pos = code.Get%s(d, pos, %q, &%s); pos < 0 {", sliceFunction(l.spec), l.path, l.name)
		w.line("return pos")
		w.line("}")
	case entries:
		w.entries(l)
	case byEngine:
		w.call(l, fmt.Sprintf("code.Get(d, %s.Part(%d), pos, %s)", l.table, l.field, address(l.name)))
	}
}

// flag prints the start of a switch statement over the flag byte of l. It prints the whole case for
// an invalid flag, and the first line of the case for the flag 0.
func (w *writer) flag(l *leaf) {
	w.line("switch {")
	w.line("case uint(pos) >= uint(len(in)) || in[pos] > 1:")
	w.line("return code.BadFlag[%s](d, pos, %q)", w.file.typeOf(l.spec), l.path)
	w.line("case in[pos] == 0:")
	w.line("pos++")
}

// call prints a call that returns the new position, and a return statement that runs if the call
// fails.
func (w *writer) call(l *leaf, call string) {
	w.line("if pos = " + call + "; pos < 0 {")
	w.fail("d", "pos", l)
	w.line("}")
}

// getSingle writes the statement that decodes a single value of s into x.
func (w *writer) getSingle(s *spec.Spec, x, path string) {
	typ := w.file.typeOf(s)
	switch s.Form {
	case spec.FormBool:
		w.line("if uint(pos) >= uint(len(in)) || in[pos] > 1 {")
		w.fault("BadFlag", typ, fmt.Sprintf("pos, %q", path))
		w.line("}")
		w.line("%s = in[pos] == 1", x)
		w.line("pos++")
	case spec.FormByte:
		w.line("if uint(pos) >= uint(len(in)) {")
		w.fault("Truncated", typ, fmt.Sprintf("%q", path))
		w.line("}")
		w.line("%s = %s", x, w.converted(s, "uint8", "in[pos]"))
		w.line("pos++")
	case spec.FormVarint:
		w.getVarint(s, x, path, "int64", "code.Signed(%s)")
	case spec.FormUvarint:
		w.getVarint(s, x, path, "uint64", "%s")
	case spec.FormFixed, spec.FormFloat:
		w.line("if len(in)-pos < %d {", s.Width)
		w.fault("Truncated", typ, fmt.Sprintf("%q", path))
		w.line("}")
		w.getFixed(s, x, path)
		w.line("pos += %d", s.Width)
	case spec.FormText:
		w.line("if s, next := d.Text(pos); next > 0 {")
		w.line("%s, pos = %s, next", x, w.converted(s, "string", "s"))
		w.line("} else {")
		w.fault("BadText", typ, fmt.Sprintf("pos, %q", path))
		w.line("}")
	case spec.FormTime:
		w.line("if pos = code.GetTime(d, pos, %q, %s); pos < 0 {", path, address(x))
		if w.again != "" {
			w.line("return %s", w.again)
		} else {
			w.line("return pos")
		}
		w.line("}")
	}
}

// entries writes the statements that decode a map. If an entry has a fault, the generated code calls
// the engine, which decodes the map again and returns the error.
func (w *writer) entries(l *leaf) {
	part := fmt.Sprintf("%s.Part(%d)", l.table, l.field)
	w.line("{")
	w.line("start, mark := pos, d.Mark()")
	w.line("m, size, next := code.GetMap(d, %s, pos, &%s)", part, l.name)
	w.line("if pos = next; pos < 0 {")
	w.fail("d", "pos", l)
	w.line("}")
	w.line("for i := range size {")
	arguments := fmt.Sprintf("(d, %s, start, mark, &%s", part, l.name)
	if l.within == "" {
		w.again = w.file.code + ".Again" + arguments + ")"
	} else {
		w.again = w.file.code + ".AgainWithin" + arguments + fmt.Sprintf(", %q)", l.within)
	}
	w.line("var k %s", w.file.typeOf(l.spec.Key))
	w.getSingle(l.spec.Key, "k", l.path)
	w.line("var x %s", w.file.typeOf(l.spec.Elem))
	w.getSingle(l.spec.Elem, "x", l.path)
	w.line("if m[k] = x; len(m) != i+1 {") // the key was in the map already
	w.line("return %s", w.again)
	w.line("}")
	w.line("}")
	w.line("}")
	w.again = ""
}

// fault prints the return statement for a fault. The statement calls the given function of package
// code, such as BadNumber. Within a map the statement calls code.Again instead; see entries.
func (w *writer) fault(function, typ, args string) {
	if w.again != "" {
		w.line("return %s", w.again)
		return
	}
	w.line("return code.%s[%s](d, %s)", function, typ, args)
}

// converted returns the source of a conversion: the expression x, which has the predeclared type source,
// converted to the type of s.
func (w *writer) converted(s *spec.Spec, source, x string) string {
	if s.Type.PkgPath() == "" && s.Type.Name() == source {
		return x
	}
	return w.file.typeOf(s) + "(" + x + ")"
}

// isWord reports whether s is an int or a uint, which has 32 bits on some platforms.
func isWord(s *spec.Spec) bool {
	k := s.Type.Kind()
	return k == reflect.Int || k == reflect.Uint
}

// getFixed prints the assignment of a number of a fixed width. For an int, the generated code also
// checks that the 8 bytes of the encoding fit into 32 bits, if int has this size.
func (w *writer) getFixed(s *spec.Spec, x, path string) {
	switch {
	case s.Form == spec.FormFloat:
		w.line("%s = "+w.converted(s, fmt.Sprint("float", 8*s.Width), "code.GetFloat%d(in, pos)"), x, 8*s.Width)
	case isWord(s):
		w.line("if u := code.Get64(in, pos); uint64(%s(u)) != u {", w.file.typeOf(s))
		w.fault("TooLarge", w.file.typeOf(s), fmt.Sprintf("pos, %q", path))
		w.line("} else {")
		w.line("%s = %s(u)", x, w.file.typeOf(s))
		w.line("}")
	default:
		w.line("%s = "+w.converted(s, fmt.Sprint("uint", 8*s.Width), "code.Get%d(in, pos)"), x, 8*s.Width)
	}
}

// getVarint prints the statement that decodes a varint of s into x. decoded is a format such as
// "code.Signed(%s)" that converts a uint64 to the type wide, which is int64 or uint64.
func (w *writer) getVarint(s *spec.Spec, x, path, wide, decoded string) {
	typ := w.file.typeOf(s)
	one := "uint64(in[pos])"
	if wide == "uint64" && !(s.Type.PkgPath() == "" && s.Type.Name() == wide) {
		one = "in[pos]" // the conversion to the type of s widens the byte
	}
	w.line("if uint(pos) < uint(len(in)) && in[pos] < 0x80 {")
	w.line("%s = "+w.converted(s, wide, decoded), x, one)
	w.line("pos++")
	if bits(s) == 64 && !isWord(s) {
		w.line("} else if u, next := code.Long(in, pos); next > 0 {")
		w.line("%s, pos = "+w.converted(s, wide, decoded)+", next", x, "u")
	} else {
		// A number that the type cannot represent is refused.
		w.line("} else if u, next := code.Long(in, pos); next > 0 && %s(%s("+decoded+")) == "+decoded+" {", wide, typ, "u", "u")
		w.line("%s, pos = %s("+decoded+"), next", x, typ, "u")
	}
	w.line("} else {")
	w.fault("BadNumber", typ, fmt.Sprintf("pos, %q", path))
	w.line("}")
}
