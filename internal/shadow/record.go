package shadow

import (
	"bytes"
	"io"
)

// An Output writes text to a writer. After a call of Keep it also keeps a copy.
type Output struct {
	W     io.Writer
	text  bytes.Buffer
	on    bool
	limit int
	over  bool  // the text exceeded the limit, so the copy is incomplete
	err   error // error of W
}

// Keep makes o keep the text that is written from now on. The argument limit is the maximum length
// of the copy, in bytes.
func (o *Output) Keep(limit int) { o.on, o.over, o.limit = true, false, limit }

// Drop drops the copy, and stops keeping text.
func (o *Output) Drop() { o.on, o.text = false, bytes.Buffer{} }

// Text returns the copy. ok is false if the copy is incomplete or the writer failed.
func (o *Output) Text() (text []byte, ok bool) { return o.text.Bytes(), !o.over && o.err == nil }

func (o *Output) Write(b []byte) (int, error) {
	n, err := o.W.Write(b)
	switch {
	case !o.on || o.over:
	case len(b) > o.limit-o.text.Len():
		o.over, o.text = true, bytes.Buffer{}
	default:
		o.text.Write(b)
	}
	if err != nil {
		o.err = err
	}
	return n, err
}

// An Input keeps the text that is read from a stream.
type Input struct {
	r      io.Reader
	text   []byte
	before int64 // the number of bytes before text in the stream
	limit  int
	over   bool  // the text exceeded the limit, so the copy is incomplete
	err    error // the error of r, except io.EOF
}

// NewInput returns an Input that reads from r and keeps at most limit bytes.
func NewInput(r io.Reader, limit int) *Input { return &Input{r: r, limit: limit} }

func (in *Input) Read(b []byte) (int, error) {
	n, err := in.r.Read(b)
	if err != nil && err != io.EOF {
		in.err = err
	}
	if in.over = in.over || len(in.text)+n > in.limit; in.over {
		in.text = nil
	} else {
		in.text = append(in.text, b[:max(0, n)]...)
	}
	return n, err
}

// All returns the copy. ok is false if the copy is incomplete or the reader failed.
func (in *Input) All() (text []byte, ok bool) { return in.text, !in.over && in.err == nil }

// Between returns the text between two offsets of the stream, and drops the text before the second
// one. ok is false if the copy is incomplete or the reader failed.
func (in *Input) Between(start, end int64) (text []byte, ok bool) {
	if in.over || start < in.before || end > in.before+int64(len(in.text)) || start > end {
		return nil, false
	}
	text = in.text[start-in.before : end-in.before]
	in.text, in.before = in.text[end-in.before:], end
	return text, in.err == nil
}
