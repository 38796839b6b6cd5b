package print

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A writer collects the statements of one function.
type writer struct {
	strings.Builder
	file  *file
	again string // while a map is printed: the expression to return for a fault in it
}

// line prints a line of source. In format, "code." stands for the name under which the file imports
// the runtime package.
func (w *writer) line(format string, args ...any) {
	format = runtimeName.ReplaceAllString(format, "${1}"+w.file.code+".")
	fmt.Fprintf(w, format+"\n", args...)
}

var runtimeName = regexp.MustCompile(`(^|[^.\w])code\.`)

// encoder returns the statements of the function that encodes s.
//
// Buffer space is reserved for groups of leaves. A leaf of unknown length, such as a string, ends a
// group: it reserves the space for itself and for the next group.
func (f *file) encoder(s *spec.Spec) string {
	all, _ := f.leaves(s)
	needs := make([]int, len(all)+1) // needs[i] is the number of bytes of the group from leaf i on
	for i := len(all) - 1; i >= 0; i-- {
		n, ends := reserved(&all[i])
		needs[i] = n
		if !ends {
			needs[i] += needs[i+1]
		}
	}
	w := &writer{file: f}
	if needs[0] > 0 {
		w.line("b := e.Room(n, %d)", needs[0]+scalar.Slack)
	} else if usesBuffer(all) {
		w.line("var b []byte")
	}
	for i := range all {
		l := &all[i]
		w.line("// %s %s", l.path[1:], shape.TypeName(l.spec.Type))
		w.put(l, needs[i+1])
	}
	return w.String()
}

// reserved returns the number of bytes that l writes into the space of its group, and reports
// whether l ends the group.
func reserved(l *leaf) (n int, ends bool) {
	switch l.strategy {
	case single:
		if l.spec.Form == spec.FormText {
			return 0, true
		}
		return bound(l.spec), l.spec.Form == spec.FormTime
	case byteArray:
		return l.spec.Count, false
	case option, pointer:
		// The flag and the value. A string reserves its own space.
		if l.spec.Elem.Form == spec.FormText {
			return 1, true
		}
		return 1 + bound(l.spec.Elem), l.spec.Elem.Form == spec.FormTime
	}
	return 0, true
}

// usesBuffer reports whether the generated statement of a leaf needs the variable named "b", the
// buffer.
func usesBuffer(all []leaf) bool {
	for i := range all {
		switch all[i].strategy {
		case byEngine, each, slice:
		default:
			return true
		}
	}
	return false
}

// put prints the statement that encodes l. If l ends its group, need is the number of bytes of the
// next group.
func (w *writer) put(l *leaf, need int) {
	switch l.strategy {
	case single:
		w.putSingle(l.spec, l.name, need)
	case byteArray:
		w.line("n += copy(b[n:n+%d], %s[:])", l.spec.Count, l.name)
	case option:
		w.line("if x, ok := %s.Get(); ok {", l.name)
		w.putPresent(l.spec.Elem, "x", need)
	case pointer:
		w.line("if %s != nil {", l.name)
		w.putPresent(l.spec.Elem, "*"+l.name, need)
	case each:
		w.engine(l, need, fmt.Sprintf("code.PutEach(e, %s.Part(%d), n, &%s, put%s)", l.table, l.field, l.name, l.fields))
	case slice:
		w.line("n = code.Put%s(e, n, %s)", sliceFunction(l.spec), l.name)
		w.room(need)
	case entries:
		w.line("b = e.Room(n, %d)", 10+scalar.Slack)
		w.line("n = code.PutUint(b, n, uint64(len(%s)))", l.name)
		w.line("for k, x := range %s {", l.name)
		elem := bound(l.spec.Elem)
		if l.spec.Elem.Form == spec.FormText {
			elem = 0
		}
		if l.spec.Key.Form != spec.FormText {
			w.room(bound(l.spec.Key) + elem)
		}
		w.putSingle(l.spec.Key, "k", elem)
		w.putSingle(l.spec.Elem, "x", 0)
		w.line("}")
		w.room(need)
	case byEngine:
		w.engine(l, need, fmt.Sprintf("code.Put(e, %s.Part(%d), n, %s)", l.table, l.field, address(l.name)))
	}
}

// address returns an expression of the address of x.
func address(x string) string {
	if rest, ok := strings.CutPrefix(x, "*"); ok {
		return rest
	}
	return "&" + x
}

// engine prints a call that returns the new position, a return statement for its failure, and the
// reservation of need bytes.
func (w *writer) engine(l *leaf, need int, call string) {
	w.line("if n = " + call + "; n < 0 {")
	w.fail("e", "n", l)
	w.line("}")
	w.room(need)
}

// fail prints the return statement after a failed call for l.
func (w *writer) fail(state, result string, l *leaf) {
	if l.within == "" {
		w.line("return %s", result)
	} else {
		w.line("return %s.Within(%q)", state, l.within)
	}
}

// room prints a statement that reserves the space of a group of need bytes.
func (w *writer) room(need int) {
	if need > 0 {
		w.line("b = e.Room(n, %d)", need+scalar.Slack)
	}
}

// putPresent prints the branches of an if statement. The first branch encodes the flag 1 and the
// value x, and the second one encodes the flag 0.
func (w *writer) putPresent(s *spec.Spec, x string, need int) {
	w.line("b[n] = 1")
	w.line("n++")
	w.putSingle(s, x, need)
	w.line("} else {")
	w.line("b[n] = 0")
	w.line("n++")
	if s.Form == spec.FormText || s.Form == spec.FormTime {
		w.room(need)
	}
	w.line("}")
}

// putSingle writes the statement that encodes x, a single value of s.
func (w *writer) putSingle(s *spec.Spec, x string, need int) {
	switch s.Form {
	case spec.FormBool:
		w.line("n = code.PutBool(b, n, %s)", gosource.Converted(s.Type, "bool", x))
	case spec.FormByte:
		w.line("n = code.PutByte(b, n, %s)", gosource.Converted(s.Type, "uint8", x))
	case spec.FormVarint:
		w.line("n = code.PutUint(b, n, code.Zigzag(%s))", gosource.Converted(s.Type, "int64", x))
	case spec.FormUvarint:
		w.line("n = code.PutUint(b, n, %s)", gosource.Converted(s.Type, "uint64", x))
	case spec.FormFixed:
		w.line("n = code.Put%d(b, n, %s)", 8*s.Width, gosource.Converted(s.Type, fmt.Sprint("uint", 8*s.Width), x))
	case spec.FormFloat:
		w.line("n = code.PutFloat%d(b, n, %s)", 8*s.Width, gosource.Converted(s.Type, fmt.Sprint("float", 8*s.Width), x))
	case spec.FormText:
		w.line("b = e.Room(n, len(%s)+%d)", x, 10+need+scalar.Slack)
		w.line("n = code.PutString(b, n, %s)", gosource.Converted(s.Type, "string", x))
	case spec.FormTime:
		w.line("n = code.PutTime(e, n, %s, %d)", address(x), need+scalar.Slack)
		w.room(need)
	}
}
