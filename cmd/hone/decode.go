package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/wire"
)

const decodeHelp = `Prints what FILE, or the standard input, holds as JSON: one value, or with -stream
a line for each of the length-framed records that wire.Encoder writes.

Bytes and what a type's own binary method made are base64, NaN and infinities
strings, and maps whose keys are not strings or numbers lists of pairs.
`

func decodeFile(c *call) error {
	schema := c.flags.String("schema", "", "the schema of the bytes, a `file` that hone schema export made")
	stream := c.flags.Bool("stream", false, "FILE is a stream of records")
	fingerprint := c.flags.Bool("fingerprint", false, "the stream begins with the schema's fingerprint, which is checked")
	args, err := c.parse(0, 1)
	if err != nil {
		return err
	}
	if *schema == "" {
		return fmt.Errorf("-schema is missing: %w", errAsked)
	}
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	if name == "-" && *schema == "-" {
		return fmt.Errorf("only one of schema and bytes can come from the standard input: %w", errAsked)
	}
	s, err := c.loadSchema(*schema)
	if err != nil {
		return err
	}
	data, err := c.read(name)
	if err != nil {
		return err
	}
	out := new(bytes.Buffer)
	r := reader{schema: s, in: data, out: out}
	if *fingerprint {
		want := s.Fingerprint()
		if len(data) < len(want) || wire.Fingerprint(data[:len(want)]) != want {
			return fmt.Errorf("%s does not begin with the fingerprint %v", name, want)
		}
		r.pos = len(want)
	}
	if *stream || *fingerprint {
		err = r.records()
	} else if err = r.value(s.Type, "", maxDepth); err == nil {
		out.WriteByte('\n')
		if r.pos < len(data) {
			err = r.fault("", errTrailing)
		}
	}
	// What was decoded before a fault is printed too.
	if _, failed := out.WriteTo(c.stdout); err == nil {
		err = failed
	}
	return err
}

// A reader decodes by a schema and writes JSON as it goes.
type reader struct {
	schema *wire.Schema
	in     []byte
	pos    int
	out    *bytes.Buffer
	empty  int                      // values so far that took no bytes
	leasts map[*wire.SchemaType]int // what least has found out
}

// maxDepth is how deeply values may nest, as for wire's own decoder.
const maxDepth = 1000

var (
	errTruncated = io.ErrUnexpectedEOF
	errTrailing  = errors.New("bytes after the end of the value")
)

// fault is an error with the place where it happened.
func (r *reader) fault(path string, err error) error {
	if path != "" {
		path += ": "
	}
	return fmt.Errorf("byte %d: %s%w", r.pos, path, err)
}

func (r *reader) records() error {
	all := r.in
	for i := 0; r.pos < len(all); i++ {
		path := "record " + strconv.Itoa(i)
		n, err := r.length("uvarint", path, 1)
		if err != nil {
			return err
		}
		r.in = all[:r.pos+n]
		if err := r.value(r.schema.Type, path, maxDepth); err != nil {
			return err
		}
		if r.pos < len(r.in) {
			return r.fault(path, errTrailing)
		}
		r.in = all
		r.out.WriteByte('\n')
	}
	return nil
}

func (r *reader) bytes(n int, path string) ([]byte, error) {
	if n > len(r.in)-r.pos {
		return nil, r.fault(path, errTruncated)
	}
	r.pos += n
	return r.in[r.pos-n : r.pos], nil
}

func (r *reader) uvarint(path string) (uint64, error) {
	v, n := binary.Uvarint(r.in[r.pos:])
	switch {
	case n == 0:
		return 0, r.fault(path, errTruncated)
	case n < 0:
		return 0, r.fault(path, wire.ErrOverflow)
	case n > 1 && r.in[r.pos+n-1] == 0:
		return 0, r.fault(path, wire.ErrNonMinimal)
	}
	r.pos += n
	return v, nil
}

func (r *reader) varint(path string) (int64, error) {
	u, err := r.uvarint(path)
	return int64(u>>1) ^ -int64(u&1), err
}

// length reads a length and checks that so many parts of at least least bytes
// may follow.
func (r *reader) length(form, path string, least int) (int, error) {
	var v uint64
	var err error
	if form == "uvarint" {
		v, err = r.uvarint(path)
	} else {
		// u or i, the bits, and from 16 on le or be
		big := strings.HasSuffix(form, "be")
		width, bad := strconv.Atoi(strings.Trim(form, "uilbe"))
		if width /= 8; bad != nil {
			return 0, r.fault(path, bad)
		}
		var u uint64
		if u, err = r.fixed(width, big, path); err == nil && form[0] == 'i' && u>>(8*width-1) != 0 {
			err = r.fault(path, wire.ErrOverflow)
		}
		v = u
	}
	if err != nil {
		return 0, err
	}
	if v > math.MaxInt32 || least > 0 && int(v) > (len(r.in)-r.pos)/least {
		return 0, r.fault(path, errTruncated)
	}
	return int(v), nil
}

// maxEmpty is how many values are printed that take no bytes, all in all: a few
// bytes may announce any number of them.
const maxEmpty = 1 << 16

func (r *reader) fixed(width int, big bool, path string) (v uint64, err error) {
	b, err := r.bytes(width, path)
	if err != nil {
		return 0, err
	}
	for i, c := range b {
		if big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v, nil
}

func (r *reader) flag(path string) (bool, error) {
	b, err := r.bytes(1, path)
	if err != nil {
		return false, err
	}
	if b[0] > 1 {
		r.pos--
		return false, r.fault(path, wire.ErrFlag)
	}
	return b[0] == 1, nil
}

func (r *reader) text(s string) {
	b, _ := json.Marshal(s) // a string can be marshalled
	r.out.Write(b)
}

func (r *reader) value(t *wire.SchemaType, path string, depth int) error {
	from := r.pos
	if err := r.one(r.schema.Resolve(t), path, depth); err != nil {
		return err
	}
	if r.pos == from {
		if r.empty++; r.empty > maxEmpty {
			return r.fault(path, wire.ErrLimit)
		}
	}
	return nil
}

func (r *reader) one(t *wire.SchemaType, path string, depth int) error {
	if depth == 0 {
		return r.fault(path, wire.ErrDepth)
	}
	switch t.Kind {
	case "bool":
		v, err := r.flag(path)
		fmt.Fprint(r.out, v)
		return err
	case "int", "uint":
		return r.integer(t, path)
	case "float":
		return r.float(t, path)
	case "complex":
		r.out.WriteByte('[')
		if err := r.float(t, path); err != nil {
			return err
		}
		r.out.WriteByte(',')
		err := r.float(t, path)
		r.out.WriteByte(']')
		return err
	case "string", "bytes", "text", "binary":
		form := t.Length
		if form == "" {
			form = "uvarint"
		}
		n, err := r.length(form, path, 1)
		if err != nil {
			return err
		}
		b, err := r.bytes(n, path)
		if t.Kind == "string" || t.Kind == "text" {
			r.text(string(b))
		} else {
			r.text(base64.StdEncoding.EncodeToString(b))
		}
		return err
	case "time", "time utc", "time location":
		return r.time(t, path)
	case "skip":
		_, err := r.bytes(t.Count, path)
		r.out.WriteString("null")
		return err
	case "optional":
		there, err := r.flag(path)
		if err == nil && there {
			return r.value(t.Elem, path, depth-1)
		}
		r.out.WriteString("null")
		return err
	case "slice", "array":
		n, err := t.Count, error(nil)
		if t.Kind == "slice" {
			n, err = r.length(t.Length, path, r.least(t.Elem))
		}
		if err != nil {
			return err
		}
		return r.list(n, func(i int) error { return r.value(t.Elem, path+"["+strconv.Itoa(i)+"]", depth-1) })
	case "map":
		return r.mapping(t, path, depth-1)
	case "struct":
		return r.structure(t, path, depth-1)
	}
	return r.union(t, path, depth-1)
}

func (r *reader) list(n int, one func(i int) error) error {
	r.out.WriteByte('[')
	for i := range n {
		if i > 0 {
			r.out.WriteByte(',')
		}
		if err := one(i); err != nil {
			return err
		}
	}
	return r.out.WriteByte(']')
}

// least is 1 if a type takes a byte or more, whatever it is, and 0 if it may
// take none.
func (r *reader) least(t *wire.SchemaType) int {
	t = r.schema.Resolve(t)
	n, known := r.leasts[t]
	if known {
		return n
	}
	if r.leasts == nil {
		r.leasts = map[*wire.SchemaType]int{}
	}
	r.leasts[t] = 0 // for a type that contains itself
	switch t.Kind {
	case "struct":
		if t.Evolving {
			n = 1
		}
		for _, f := range t.Fields {
			n = max(n, r.least(f.Type))
		}
	case "array":
		if t.Count > 0 {
			n = r.least(t.Elem)
		}
	case "skip":
		n = min(t.Count, 1)
	default:
		n = 1
	}
	r.leasts[t] = n
	return n
}

func (r *reader) integer(t *wire.SchemaType, path string) error {
	var v uint64
	var err error
	unused := 64 - t.Bits
	switch {
	case t.Coding != "varint":
		if v, err = r.fixed(t.Bits/8, t.Coding == "big", path); t.Kind == "int" {
			v = uint64(int64(v<<unused) >> unused)
		}
	case t.Kind == "int":
		var i int64
		if i, err = r.varint(path); err == nil && i<<unused>>unused != i {
			err = r.fault(path, wire.ErrOverflow)
		}
		v = uint64(i)
	default:
		if v, err = r.uvarint(path); err == nil && bits.Len64(v) > t.Bits {
			err = r.fault(path, wire.ErrOverflow)
		}
	}
	if t.Kind == "int" {
		fmt.Fprint(r.out, int64(v))
	} else {
		fmt.Fprint(r.out, v)
	}
	return err
}

func (r *reader) float(t *wire.SchemaType, path string) error {
	v, err := r.fixed(t.Bits/8, t.Coding == "big", path)
	if err != nil {
		return err
	}
	f := math.Float64frombits(v)
	if t.Bits == 32 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		r.text(fmt.Sprint(f))
		return nil
	}
	_, err = r.out.WriteString(strconv.FormatFloat(f, 'g', -1, t.Bits))
	return err
}

func (r *reader) time(t *wire.SchemaType, path string) error {
	show := func(v time.Time, err error) error {
		if err != nil {
			return err
		}
		r.text(v.Format(time.RFC3339Nano))
		return nil
	}
	if t.Kind != "time" {
		n, err := r.fixed(8, false, path)
		if err != nil {
			return err
		}
		v := time.Unix(0, int64(n)).UTC()
		// Stands for the zero time: see docs/wire-layouts.md.
		if int64(n) == -6795364578871345152 {
			v = time.Time{}
		}
		if t.Kind == "time utc" {
			return show(v, nil)
		}
		there, err := r.flag(path)
		if err != nil || !there {
			return show(v, err)
		}
		size, err := r.length("u8", path, 1)
		if err != nil {
			return err
		}
		name, err := r.bytes(size, path)
		if err != nil {
			return err
		}
		if loc, bad := time.LoadLocation(string(name)); bad == nil && string(name) != "Local" {
			v = v.In(loc)
		}
		r.text(v.Format(time.RFC3339Nano) + "[" + string(name) + "]")
		return nil
	}
	seconds, err := r.varint(path)
	if err != nil {
		return err
	}
	nanos, err := r.uvarint(path)
	if err == nil && nanos >= 1e9 {
		err = r.fault(path, wire.ErrTime)
	}
	if err != nil {
		return err
	}
	zone, err := r.bytes(1, path)
	if err != nil {
		return err
	}
	v := time.Unix(seconds, int64(nanos)).UTC()
	switch zone[0] {
	case 0:
		return show(v, nil)
	case 1, 2:
	default:
		return r.fault(path, wire.ErrTime)
	}
	offset, err := r.varint(path)
	if err == nil && offset != int64(int32(offset)) {
		err = r.fault(path, wire.ErrTime)
	}
	if err != nil {
		return err
	}
	if zone[0] == 1 {
		size, err := r.length("uvarint", path, 1)
		if err != nil {
			return err
		}
		if _, err := r.bytes(size, path); err != nil {
			return err
		}
	}
	return show(v.In(time.FixedZone("", int(offset))), nil)
}

func (r *reader) mapping(t *wire.SchemaType, path string, depth int) error {
	n, err := r.length(t.Length, path, r.least(t.Key)+r.least(t.Elem))
	if err != nil {
		return err
	}
	if depth == 0 {
		return r.fault(path, wire.ErrDepth)
	}
	key := r.schema.Resolve(t.Key)
	switch key.Kind {
	case "string", "text", "int", "uint", "bool":
	default:
		return r.list(n, func(i int) error {
			r.out.WriteByte('[')
			if err := r.value(t.Key, path+"[key]", depth); err != nil {
				return err
			}
			r.out.WriteByte(',')
			err := r.value(t.Elem, path+"[…]", depth)
			r.out.WriteByte(']')
			return err
		})
	}
	quoted := key.Kind == "string" || key.Kind == "text"
	r.out.WriteByte('{')
	for i := range n {
		if i > 0 {
			r.out.WriteByte(',')
		}
		if !quoted {
			r.out.WriteByte('"')
		}
		if err := r.value(t.Key, path+"[key]", depth); err != nil {
			return err
		}
		if !quoted {
			r.out.WriteByte('"')
		}
		r.out.WriteByte(':')
		if err := r.value(t.Elem, path+"[…]", depth); err != nil {
			return err
		}
	}
	return r.out.WriteByte('}')
}

func (r *reader) structure(t *wire.SchemaType, path string, depth int) error {
	whole, end := r.in, 0
	if t.Evolving {
		n, err := r.length("uvarint", path, 1)
		if err != nil {
			return err
		}
		end = r.pos + n
		r.in = r.in[:end]
	}
	r.out.WriteByte('{')
	first := true
	for i, f := range t.Fields {
		if t.Evolving && r.pos == end {
			break // the writer knew no more
		}
		skip := r.schema.Resolve(f.Type)
		if skip.Kind == "skip" {
			if _, err := r.bytes(skip.Count, path); err != nil {
				return err
			}
			continue
		}
		name := f.Name
		if name == "" {
			name = strconv.Itoa(i)
		}
		if !first {
			r.out.WriteByte(',')
		}
		first = false
		r.text(name)
		r.out.WriteByte(':')
		// A struct within a struct is no deeper: its fields lie in line.
		if err := r.value(f.Type, path+"."+name, depth); err != nil {
			return err
		}
	}
	r.out.WriteByte('}')
	if t.Evolving {
		r.in, r.pos = whole, end
	}
	return nil
}

func (r *reader) union(t *wire.SchemaType, path string, depth int) error {
	var id uint64
	var err error
	if t.Tag == "byte" {
		id, err = r.fixed(1, false, path)
	} else if id, err = r.uvarint(path); err == nil && id == 0 {
		r.out.WriteString("null")
		return nil
	}
	if err != nil {
		return err
	}
	for _, c := range t.Cases {
		if uint64(c.ID) != id {
			continue
		}
		if c.Type == nil {
			r.text(c.Name)
			return nil
		}
		r.out.WriteByte('{')
		r.text(c.Name)
		r.out.WriteByte(':')
		err := r.value(c.Type, path+".("+c.Name+")", depth)
		r.out.WriteByte('}')
		return err
	}
	return r.fault(path, fmt.Errorf("tag %d is none of the cases", id))
}
