package print

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/shape"
)

// A writer collects the statements of one function.
type writer struct {
	strings.Builder
	code  string // name of the runtime package in the file
	steps []encode.Step
	start string // in the loop of a slice: "[:start]", so that dst[:start] drops the incomplete slice
}

// line prints a line of source. In format, "code." stands for the name under which the file imports
// the runtime package.
func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, strings.ReplaceAll(format, "code.", w.code+".")+"\n", args...)
}

// encodeBody returns the statements of fn, an encoder.
func (f *file) encodeBody(fn *function) string {
	w := &writer{code: f.code, steps: fn.steps}
	if w.needsOK() {
		w.line("var ok bool")
	}
	w.between(0, len(fn.steps))
	w.line("return dst")
	return w.String()
}

// needsOK reports whether a step assigns the variable ok. The code for an Option declares another
// variable ok in its own block.
func (w *writer) needsOK() bool {
	for _, s := range w.steps {
		switch s.Form {
		case encode.FormPointer, encode.FormSlice:
			s.Form = s.Elem
		}
		if s.Form.CanFail() {
			return true
		}
	}
	return false
}

// between prints the steps with the indexes i to end-1.
func (w *writer) between(i, end int) {
	for i < end {
		s := &w.steps[i]
		switch s.Form {
		case encode.FormTest, encode.FormOmit:
			w.literal(s)
			w.condition(i)
			w.between(i+1, s.Target)
			w.line("}")
			i = s.Target
			continue
		}
		w.step(i)
		i++
	}
}

// condition prints the if statement of step i, which encodes the field unless it is omitted.
func (w *writer) condition(i int) {
	s := &w.steps[i]
	if s.Form == encode.FormOmit {
		w.line("if !code.Omits(p, %d, v) {", i)
		return
	}
	x := expression(s)
	switch s.Type.Kind() {
	case reflect.Bool:
		w.line("if %s {", x)
	case reflect.String:
		w.line(`if %s != "" {`, x)
	case reflect.Slice:
		w.line("if len(%s) > 0 {", x)
	case reflect.Pointer, reflect.Interface:
		w.line("if %s != nil {", x)
	default:
		w.line("if %s != 0 {", x)
	}
}

// step prints step i, which is not a test.
func (w *writer) step(i int) {
	s := &w.steps[i]
	switch s.Form {
	case encode.FormEngine:
		if text := strings.TrimSpace(member(s.Literal) + " " + describe(s.Type)); text != "" {
			w.line("// %s", text)
		}
		w.line("if dst, ok = code.Part(e, p, %d, dst, v); !ok {", i)
		w.line("return dst")
		w.line("}")
	case encode.FormLiteral:
		w.literal(s)
	case encode.FormComma:
		w.literal(s)
		w.line("dst = code.Comma(dst)")
	case encode.FormOption:
		w.line("// %s %s", strings.Join(s.Path, "."), shape.TypeName(s.Type))
		w.literal(s)
		w.line("if x, ok := %s.Get(); !ok {", expression(s))
		w.line("dst = code.Null(dst)")
		w.line("} else {")
		w.value(i, s.Elem, elementOf(s.Type), "x")
		w.line("}")
	case encode.FormPointer:
		w.line("// %s %s", strings.Join(s.Path, "."), shape.TypeName(s.Type))
		w.literal(s)
		w.line("if %s == nil {", expression(s))
		w.line("dst = code.Null(dst)")
		w.line("} else {")
		w.value(i, s.Elem, s.Type.Elem(), "*"+expression(s))
		w.line("}")
	case encode.FormSlice:
		w.line("// %s %s", strings.Join(s.Path, "."), shape.TypeName(s.Type))
		w.literal(s)
		w.slice(i)
	default:
		w.line("// %s %s", strings.Join(s.Path, "."), shape.TypeName(s.Type))
		w.literal(s)
		w.value(i, s.Form, s.Type, expression(s))
	}
}

// slice prints the loop that appends the slice of step i.
func (w *writer) slice(i int) {
	s := &w.steps[i]
	x := expression(s)
	w.line("if %s == nil {", x)
	w.line("dst = code.NilSlice(e, dst)")
	w.line("} else {")
	if s.Elem.CanFail() {
		w.line("start := len(dst)")
		w.start = "[:start]"
		defer func() { w.start = "" }()
	}
	w.line("dst = append(dst, '[')")
	w.line("for i := range %s {", x)
	w.line("if i > 0 {")
	w.line("dst = append(dst, ',')")
	w.line("}")
	w.value(i, s.Elem, s.Type.Elem(), x+"[i]")
	w.line("}")
	w.line("dst = append(dst, ']')")
	w.line("}")
}

// member returns the quoted member name at the end of a literal, for a comment. It returns "" if
// the literal does not end in a name.
func member(literal string) string {
	text, ok := strings.CutSuffix(literal, `":`)
	if !ok {
		return ""
	}
	return text[strings.LastIndexByte(text, '"'):] + `"`
}

// describe returns the name of a type for a comment.
func describe(t reflect.Type) string {
	if t == nil {
		return ""
	}
	return shape.TypeName(t)
}

// elementOf returns the type of the value of an Option.
func elementOf(t reflect.Type) reflect.Type {
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0)
}

// literal prints the literal of s.
func (w *writer) literal(s *encode.Step) {
	if s.Literal != "" {
		w.line("dst = append(dst, %s...)", quote(s.Literal))
	}
}

// quote returns a Go literal for text.
func quote(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// expression returns the Go expression of the value of s.
func expression(s *encode.Step) string { return "v." + strings.Join(s.Path, ".") }

// value prints the statement that appends x, an expression of type t that can be addressed, for step
// i.
func (w *writer) value(i int, form encode.Form, t reflect.Type, x string) {
	checked := func(call string) {
		w.line("if dst, ok = %s; !ok {", call)
		w.line("return code.Fail(e, p, %d, dst%s, v)", i, w.start)
		w.line("}")
	}
	switch form {
	case encode.FormBool:
		w.line("dst = code.Bool(dst, %s)", gosource.Converted(t, "bool", x))
	case encode.FormInt:
		w.line("dst = code.Int(dst, %s)", gosource.Converted(t, "int64", x))
	case encode.FormUint:
		w.line("dst = code.Uint(dst, %s)", gosource.Converted(t, "uint64", x))
	case encode.FormBytes:
		w.line("dst = code.Bytes(e, dst, %s)", x)
	case encode.FormFloat32:
		checked(w.code + ".Float32(dst, " + gosource.Converted(t, "float32", x) + ")")
	case encode.FormFloat64:
		checked(w.code + ".Float64(dst, " + gosource.Converted(t, "float64", x) + ")")
	case encode.FormString:
		checked(w.code + ".String(e, dst, " + gosource.Converted(t, "string", x) + ")")
	case encode.FormTime:
		at := "&" + x
		if strings.HasPrefix(x, "*") {
			at = x[1:]
		}
		checked(w.code + ".Time(e, dst, " + at + ")")
	}
}
