package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
)

// Location returns the JSON pointer (RFC 6901) from the root to v. It is "" for the root, and for a
// failure. It visits the members before v in each enclosing object, and at most 64 elements of each array.
//
// If a name occurs twice in an object, a pointer leads to the last member, so the Location of the first one does
// not lead back to it. [Options.RejectDuplicateNames] refuses such texts.
func (v Value) Location() string {
	if !v.ok() {
		return ""
	}
	pointer, _ := v.doc.locate(int(v.index), -1, pointers)
	return pointer
}

// NormalizedPath returns the normalized path to v (RFC 9535, section 2.7), such as $['store']['book'][0]. It is "" for
// a failure. It takes as long as [Value.Location].
func (v Value) NormalizedPath() string {
	if !v.ok() {
		return ""
	}
	path, _ := v.doc.locate(int(v.index), -1, normalizedPaths)
	return "$" + path
}

// A notation appends one step of the way to a value.
type notation struct {
	element func(b *strings.Builder, i int)
	member  func(b *strings.Builder, name string)
}

var pointers = notation{
	element: func(b *strings.Builder, i int) { b.WriteByte('/'); b.WriteString(strconv.Itoa(i)) },
	member:  func(b *strings.Builder, name string) { b.WriteByte('/'); _, _ = escapeToken.WriteString(b, name) },
}

var normalizedPaths = notation{
	element: func(b *strings.Builder, i int) { b.WriteByte('['); b.WriteString(strconv.Itoa(i)); b.WriteByte(']') },
	member: func(b *strings.Builder, name string) {
		b.WriteString("['")
		for _, r := range name {
			switch i := strings.IndexRune("\b\f\n\r\t'\\", r); {
			case i >= 0:
				b.WriteByte('\\')
				b.WriteByte(`bfnrt'\`[i])
			case r < ' ':
				fmt.Fprintf(b, `\u%04x`, r)
			default:
				b.WriteRune(r)
			}
		}
		b.WriteString("']")
	},
}

// Errors contain pointers, and finding a pointer takes time in proportion to its length and to the number
// of values before it. A program that reads a hostile text may create an error for each value of the text.
// So that it takes linear time, the errors of one text share a number of steps, after which they have only
// offsets.
const (
	pathStepsPerWord = 4
	minPathSteps     = 1 << 16
)

// locateInError is like locate, but takes its steps from those for errors.
func (d *Document) locateInError(t int) (pointer string, ok bool) {
	limit := d.pathSteps.Load()
	if limit <= 0 {
		return "", false
	}
	pointer, steps := d.locate(t, limit, pointers)
	return pointer, d.pathSteps.Add(-steps) >= 0
}

// locate returns the way to the value or name at t, and the number of steps that it has taken. It gives up after limit
// steps, unless limit is negative.
func (d *Document) locate(t int, limit int64, n notation) (way string, steps int64) {
	var b strings.Builder
	var buf [128]byte
	for at := 0; at != t; {
		step := 0
		if d.kind(at) == Object {
			step = 1 // over the name
		}
		child, i := at+syntax.ContainerWords, 0
		if step == 0 && d.words[at].Count() > minTable {
			child, i = d.elementBefore(at, t)
		}
		for ; ; i++ {
			if steps++; limit >= 0 && steps > limit {
				return "", steps
			}
			next := d.after(child + step)
			if t >= next {
				child = next
				continue
			}
			if step == 0 {
				n.element(&b, i)
			} else {
				name := d.content(child, buf[:0])
				steps += int64(len(name))
				n.member(&b, string(name))
			}
			if t == child { // a name
				return b.String(), steps
			}
			at = child + step
			break
		}
	}
	return b.String(), steps
}

// elementBefore returns an element of the long array at, shortly before the value at t in it, and its number.
func (d *Document) elementBefore(at, t int) (child, i int) {
	slots := d.tables.of(d, at).slots
	slot, exact := slices.BinarySearch(slots, uint32(t))
	if !exact {
		slot--
	}
	return int(slots[slot]), slot * elementsPerSlot
}
