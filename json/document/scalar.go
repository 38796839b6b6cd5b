package document

import "github.com/hone-go/hone/internal/syntax"

// number returns the limits of the number v in the text.
func (v Value) number() (data []byte, start, end int, err error) {
	if v.Kind() != Number {
		return nil, 0, 0, v.wants(Number)
	}
	w := v.doc.words[v.index]
	return v.doc.data, w.Pos(), w.NumberEnd(v.doc.data), nil
}

// Int64 returns the number v. As in decoding into an int64, a number with a fraction or an exponent, such
// as 1.0 or 1e2, is an error. The error wraps [ErrRange] for such a number and for one that is out of
// range, and [ErrKind] if v is not a number.
func (v Value) Int64() (int64, error) {
	data, start, end, err := v.number()
	if err != nil {
		return 0, err
	}
	if n, ok := syntax.ParseInt(data, start, end); ok {
		return n, nil
	}
	return 0, v.outOfRange("an int64")
}

// Uint64 is like [Value.Int64], for a uint64.
func (v Value) Uint64() (uint64, error) {
	data, start, end, err := v.number()
	if err != nil {
		return 0, err
	}
	if n, ok := syntax.ParseUint(data, start, end); ok {
		return n, nil
	}
	return 0, v.outOfRange("a uint64")
}

// Float64 returns the float64 closest to the number v. The error wraps [ErrRange] if the number is too
// large, and [ErrKind] if v is not a number.
func (v Value) Float64() (float64, error) {
	data, start, end, err := v.number()
	if err != nil {
		return 0, err
	}
	if f, ok := syntax.ParseFloat(data, start, end); ok {
		return f, nil
	}
	return 0, v.outOfRange("a float64")
}

// Bool returns the truth value v. The error wraps [ErrKind] if v is not true or false.
func (v Value) Bool() (bool, error) {
	if v.Kind() != Bool {
		return false, v.wants(Bool)
	}
	return v.doc.data[v.doc.words[v.index].Pos()] == 't', nil
}

// String returns the content of the string v in memory of its own. Parts that are not valid UTF-8 are
// read as U+FFFD. The error wraps [ErrKind] if v is not a string.
func (v Value) String() (string, error) {
	if v.Kind() != String {
		return "", v.wants(String)
	}
	var buf [128]byte
	return string(v.doc.content(int(v.index), buf[:0])), nil
}

// AppendString appends the content of the string v to dst, and returns the extended slice. On error it
// returns dst unchanged. See [Value.String].
func (v Value) AppendString(dst []byte) ([]byte, error) {
	if v.Kind() != String {
		return dst, v.wants(String)
	}
	return v.doc.appendContent(dst, int(v.index)), nil
}
