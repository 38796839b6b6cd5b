package decode

import (
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// lists are the buffers of a Decoder for arrays of floats, integers and strings. One pass decodes the
// elements into a buffer, because their number is not known before the end of the array. An array of
// scalars contains no other arrays, so one buffer for each type is enough.
type lists struct {
	floats  []float64
	ints    []int64
	strings []string
}

// readScalars is like readSlice, for elements with the operations NodeFloat64, nodeInt64 and NodeString.
// It reports false for other elements.
func (d *Decoder) readScalars(n *Node, i int, a mem.Pointer, off uintptr) (end int, ok bool) {
	switch n.Elem.Op {
	case NodeFloat64:
		return readList(d, n, i, a, off, &d.lists.floats, readFloat), true
	case nodeInt64:
		return readList(d, n, i, a, off, &d.lists.ints, readInt), true
	case NodeString:
		return readList(d, n, i, a, off, &d.lists.strings, (*Decoder).readString), true
	}
	return i, false
}

func readFloat(d *Decoder, i int) (float64, int) { return syntax.ReadFloat(d.Data, i) }

func readInt(d *Decoder, i int) (int64, int) { return syntax.ReadInt(d.Data, i) }

// readList decodes an array into a slice of T. The function read reads an element, and buffer is the
// buffer for T.
func readList[T mem.Plain](d *Decoder, n *Node, i int, a mem.Pointer, off uintptr, buffer *[]T, read func(d *Decoder, i int) (T, int)) int {
	data, list := d.Data, (*buffer)[:0]
	i, more := d.firstElement(i, ']')
	if !more {
		a.SetEmptySlice(off)
		return i
	}
	for more {
		// Give up if the array is longer than the tag allows.
		if len(list) == n.Most {
			return -1
		}
		var v T
		if c := data[i]; c == 'n' {
			if d.On&option.CheckMembers != 0 && !n.Elem.null {
				return -1
			}
			i = syntax.ReadLiteral(data, i)
		} else if n.Elem.Op == NodeString && c != '"' {
			return -1
		} else {
			v, i = read(d, i)
		}
		list = append(list, v)
		if i >= 0 && i < len(data)-indentRoom && data[i] == ',' {
			after := i + 1
			if data[after] == ' ' {
				after++
			}
			if data[after] == '\n' {
				after = skipIndent(data, after)
			}
			if data[after] > ' ' {
				i = after
				continue
			}
		}
		i, more = d.nextElement(i, ']')
	}
	if i < 0 {
		return -1
	}
	// The slice takes the memory of a large buffer that is mostly full. Copying it costs more than the
	// unused memory at its end.
	if size := cap(list) * int(n.Shape.Elem.Size); size > maxStagingBytes {
		if *buffer = nil; len(list) > cap(list)/4*3 {
			mem.SetSlice(a, off, list)
			return i
		}
	} else {
		*buffer = list
	}
	exact := make([]T, len(list))
	copy(exact, list)
	if n.Elem.Op == NodeString {
		clear(list) // the buffer keeps no string alive
	}
	mem.SetSlice(a, off, exact)
	return i
}
