package shadow

import (
	"bytes"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json"
)

// An Encoder writes JSON values to a stream, each with a newline after it.
type Encoder struct {
	first          *json.Encoder
	second         json.Config
	to             *recorder
	prefix, indent string
}

// A recorder keeps what passes through it, if it is told to and that is not too long.
type recorder struct {
	w    io.Writer
	kept bytes.Buffer
	on   bool
	most int
	over bool  // there was more than it keeps
	err  error // of w
}

func (r *recorder) Write(b []byte) (int, error) {
	n, err := r.w.Write(b)
	switch {
	case !r.on || r.over:
	case len(b) > r.most-r.kept.Len():
		r.over, r.kept = true, bytes.Buffer{}
	default:
		r.kept.Write(b)
	}
	if err != nil {
		r.err = err
	}
	return n, err
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder {
	first, second := engines()
	to := &recorder{w: w}
	return &Encoder{first: first.NewEncoder(to), second: second, to: to}
}

// SetIndent makes the encoder write in the form of [MarshalIndent].
func (e *Encoder) SetIndent(prefix, indent string) {
	e.prefix, e.indent = prefix, indent
	e.first.SetIndent(prefix, indent)
}

// SetEscapeHTML says whether <, > and & are escaped in strings.
func (e *Encoder) SetEscapeHTML(on bool) {
	e.second.NoEscapeHTML = !on
	e.first.SetEscapeHTML(on)
}

// Encode writes the encoding of v and a newline.
func (e *Encoder) Encode(v any) error {
	if !watch.Chosen() {
		return e.first.Encode(v)
	}
	e.to.on, e.to.over, e.to.most = true, false, watch.MaxBytes()
	defer func() { e.to.on, e.to.kept = false, bytes.Buffer{} }()
	err := e.first.Encode(v)
	if e.to.err != nil || e.to.over {
		watch.Pass()
		return err
	}
	watch.Text("Encode", v, e.to.kept.Bytes(), err, func() ([]byte, error) {
		var out bytes.Buffer
		second := e.second.NewEncoder(&out)
		second.SetIndent(e.prefix, e.indent)
		err := second.Encode(v)
		return out.Bytes(), err
	}, shadow.Bytes)
	return err
}

// A Decoder reads JSON values from a stream. It reads ahead.
type Decoder struct {
	first  *json.Decoder
	second json.Config
	from   *kept // nil if its values are not compared
}

// A kept keeps what is read from a stream until it has been decoded.
type kept struct {
	r      io.Reader
	text   []byte
	before int64 // bytes of the stream in front of text
	most   int
	over   bool // there was more than it keeps
	err    error
}

func (k *kept) Read(b []byte) (int, error) {
	n, err := k.r.Read(b)
	if err != nil && err != io.EOF {
		k.err = err
	}
	if k.over = k.over || len(k.text)+n > k.most; k.over {
		k.text = nil
	} else {
		k.text = append(k.text, b[:max(0, n)]...)
	}
	return n, err
}

// between returns what was read from one place to the other, and forgets what came before.
func (k *kept) between(start, end int64) []byte {
	if k.over || start < k.before || end > k.before+int64(len(k.text)) || start > end {
		return nil
	}
	text := k.text[start-k.before : end-k.before]
	k.text, k.before = k.text[end-k.before:], end
	return text
}

// NewDecoder returns a decoder that reads from r. Whether its values are compared is decided
// here, by the share of calls.
func NewDecoder(r io.Reader) *Decoder {
	first, second := engines()
	d := &Decoder{second: second}
	if watch.Chosen() {
		d.from = &kept{r: r, most: 2 * watch.MaxBytes()}
		r = d.from
	}
	d.first = first.NewDecoder(r)
	return d
}

// UseNumber makes numbers that are decoded into an interface a [Number] rather than a float64.
func (d *Decoder) UseNumber() {
	d.second.UseNumber = true
	d.first.UseNumber()
}

// DisallowUnknownFields makes an object key that the target struct has no field for an error.
func (d *Decoder) DisallowUnknownFields() {
	d.second.DisallowUnknownFields = true
	d.first.DisallowUnknownFields()
}

// Buffered returns what has been read from the stream and not decoded.
func (d *Decoder) Buffered() io.Reader { return d.first.Buffered() }

// InputOffset returns the position in the stream after the last value or token.
func (d *Decoder) InputOffset() int64 { return d.first.InputOffset() }

// More reports whether the array or object that is being read has another element.
func (d *Decoder) More() bool { return d.first.More() }

// Token returns the next token. It is not compared.
func (d *Decoder) Token() (Token, error) { return d.first.Token() }

// Decode reads the next value and decodes it into v.
func (d *Decoder) Decode(v any) error {
	if d.from == nil {
		return d.first.Decode(v)
	}
	empty, start := shadow.HoldsNothing(v), d.first.InputOffset()
	err := d.first.Decode(v)
	text := bytes.TrimLeft(d.from.between(start, d.first.InputOffset()), " \t\r\n,:")
	if !empty || len(text) == 0 || d.from.err != nil || len(text) > watch.MaxBytes() {
		watch.Pass()
		return err
	}
	watch.Value("Decode", v, err, func(other any) error { return d.second.Unmarshal(text, other) }, errorsInStream)
	return err
}

// errorsInStream compares errors of which one counts from the start of a stream.
func errorsInStream(answered, other error) *Difference {
	if a, ok := answered.(*UnmarshalTypeError); ok {
		if b, ok := other.(*UnmarshalTypeError); ok {
			a, b := *a, *b
			a.Offset, b.Offset = 0, 0
			if reflect.DeepEqual(a, b) {
				return nil
			}
		}
	}
	if a, ok := answered.(*SyntaxError); ok {
		if b, ok := other.(*SyntaxError); ok && a.Error() == b.Error() {
			return nil
		}
	}
	return shadow.Errors(answered, other)
}
