package locate

import (
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/path"
)

// A step leads from an array or object to one of its elements or members.
type step struct {
	object bool
	index  int
	name   string
}

// step returns the step to the current element or member of the open array or object at the given
// depth.
func (w *walk) step(depth int) step {
	object, count, name := w.in.Level(depth + 1)
	return step{object, int(count) - 1, string(name)}
}

// [step.is] reports whether s leads to the member called name, or to the element with this index.
func (s step) is(name string) bool {
	if s.object {
		return s.name == name
	}
	return strconv.Itoa(s.index) == name
}

// steps returns the steps from the root to the token t.
func (w *walk) steps(t token) []step {
	list := make([]step, t.depth)
	for i := range list {
		list[i] = w.step(i)
	}
	return list
}

// stepsToFailure returns the steps to the position of the syntax error: to the value that is
// expected there, or else to the innermost open array or object.
func (w *walk) stepsToFailure() []step {
	list := w.steps(token{depth: w.in.StackDepth()})
	if n := len(list); n > 0 {
		switch last := &list[n-1]; {
		case !w.due:
			list = list[:n-1]
		case !last.object:
			last.index++
		}
	}
	return list
}

var escapeStep = strings.NewReplacer("~", "~0", "/", "~1")

// pointerOf returns the steps as a JSON pointer.
func pointerOf(list []step) string {
	var b []byte
	for _, s := range list {
		b = append(b, '/')
		if s.object {
			b = append(b, escapeStep.Replace(s.name)...)
		} else {
			b = strconv.AppendInt(b, int64(s.index), 10)
		}
	}
	return string(b)
}

// pathOf returns the steps as a path in Go's syntax.
func pathOf(list []step) string {
	var b []byte
	for _, s := range list {
		if !s.object {
			b = append(b, path.Index(s.index)...)
		} else {
			b = append(b, path.Name(s.name)...)
		}
	}
	return string(b)
}
