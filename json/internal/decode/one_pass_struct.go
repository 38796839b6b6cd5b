package decode

import (
	"bytes"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A step is a field of a struct, prepared for one pass: everything that reading a member needs if the
// members come in the order of the fields, in 48 bytes.
type step struct {
	first, mask, last uint64 // as in nameText
	node              *Node
	offset            uintptr
	size              int32 // the length of the name
	op                Op    // the operation of node
}

// stepsOf returns the steps for the fields of o. All nodes of the fields must be complete.
func stepsOf(o *object) []step {
	steps := make([]step, len(o.fields))
	for i := range o.fields {
		f := &o.fields[i]
		steps[i] = step{first: f.name.first, mask: f.name.mask, last: f.name.last, node: f.node, offset: f.offset, size: int32(len(f.name.text))}
		if f.node != nil {
			steps[i].op = f.node.Op
		}
	}
	return steps
}

// isAt reports whether the name of s is the text data[pos:end], in which end is pos plus the length of
// the name. The text must have eight more bytes after end.
func (s *step) isAt(data []byte, pos, end int) bool {
	if (syntax.Load8(data, pos)^s.first)&s.mask != 0 {
		return false
	}
	// The first and the last eight bytes of a name of up to 16 bytes overlap.
	return s.size <= 8 || syntax.Load8(data, end-8) == s.last
}

// readStruct decodes an object into a struct. It gives up if a member repeats, because the result then
// depends on the type and the options.
func (d *Decoder) readStruct(n *Node, i int, a mem.Pointer, off uintptr) int {
	data, o := d.Data, n.object
	var seen directSet // on the stack
	next, others := 0, len(d.Others)
	i, more := d.firstElement(i, '}')
	for more {
		// Compare the name with the next field first, because members usually come in the order of the
		// fields.
		at, value := -1, -1
		if next < len(o.steps) {
			s := &o.steps[next]
			end := i + 1 + int(s.size)
			if end < len(data)-8 && data[i] == '"' && data[end] == '"' && s.isAt(data, i+1, end) && (s.size <= 16 || o.fields[next].name.text == string(data[i+1:end])) {
				// Most texts have no white space here, or one space on one side of the colon or on both.
				at, value = next, end+1
				if data[value] == ' ' {
					value++
				}
				switch {
				case data[value] == ':' && data[value+1] > ' ':
					value++
				case data[value] == ':' && data[value+1] == ' ' && data[value+2] > ' ':
					value += 2
				default:
					if value = d.readColon(end + 1); value < 0 {
						return -1
					}
				}
			}
		}
		if value < 0 {
			if at, value = d.readName(o, next, i, others); value < 0 {
				return -1
			}
		}
		if at >= 0 {
			word, bit := &seen[at/64], uint64(1)<<(at%64)
			if *word&bit != 0 {
				return -1
			}
			*word |= bit
			next = at + 1
		}
		if at >= 0 && o.steps[at].node != nil {
			// Decode the most frequent values without a call of read.
			s, c := &o.steps[at], data[value]
			switch {
			case s.op == NodeString && c == '"':
				var text string
				if text, i = d.readString(value); i >= 0 {
					mem.Store(a, off+s.offset, text)
				}
			case s.op == nodeInt64 && c != 'n':
				var x int64
				if x, i = syntax.ReadInt(data, value); i >= 0 {
					mem.Store(a, off+s.offset, x)
				}
			default:
				i = d.read(s.node, value, a, off+s.offset)
			}
		} else {
			// No field matches the member, or its field is read-only. Check and skip the value.
			i = d.readIndexed(nil, value, a, off)
		}
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
		i, more = d.nextElement(i, '}')
	}
	d.Others = d.Others[:others]
	if o.expects != nil && d.On&option.CheckMembers != 0 && i > 0 && !d.setExpected(o, &seen, a, off) {
		return -1
	}
	return i
}

// readName returns the index of the field for the name at i, and the position of the value. The index is
// negative if no field matches. The argument others is the index in d.Others of the first unknown name
// of this object.
func (d *Decoder) readName(o *object, next, i, others int) (field, value int) {
	data := d.Data
	if data[i] != '"' {
		return 0, -1
	}
	// At the end of the text the loop does not compare the name with the next field.
	if i > len(data)-64 && next < len(o.fields) {
		if name := &o.fields[next].name; name.isAt(data, i+1) {
			return next, d.readColon(i + len(name.text) + 2)
		}
	}
	end, wide := syntax.ReadText(data, i+1)
	if end >= len(data) || data[end] != '"' {
		return 0, -1
	}
	name := data[i+1 : end]
	if wide && !syntax.ValidUTF8(name) {
		return 0, -1
	}
	// If only an option of the call makes names match without regard to case, the call does not use the
	// pass.
	if o.folds {
		field, _ = shape.Find(&o.names, name)
	} else {
		field = shape.FindExact(&o.names, name)
	}
	if field < 0 && (d.On&option.RejectUnknownMembers != 0 || d.On&option.CheckMembers != 0 && o.unknown == "refused" || d.UniqueNames() && !d.isNew(i, end+1, others)) {
		return 0, -1
	}
	return field, d.readColon(end + 1)
}

// isNew reports whether the name at data[i:end] differs from the names at d.Others[from:]. It
// appends the name's position to d.Others.
func (d *Decoder) isNew(i, end, from int) bool {
	names := d.Others[from:]
	// Comparing each pair of names takes quadratic time. Give up, because the decode over an index
	// stores many unknown names in a map.
	if len(names) == linearOthers {
		return false
	}
	for _, other := range names {
		if bytes.HasPrefix(d.Data[other:], d.Data[i:end]) {
			return false
		}
	}
	d.Others = append(d.Others, i)
	return true
}
