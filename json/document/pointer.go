package document

import "strings"

// Pointer returns the value to which the JSON pointer (RFC 6901) leads from v, such as "/a/0/b". The
// empty pointer leads to v itself. The result is a failure with [ErrPointer] if the pointer is not
// valid, and with [ErrNotFound] or [ErrKind] as from [Value.Get] and [Value.Index].
func (v Value) Pointer(pointer string) Value {
	if !v.ok() {
		return v
	}
	if !validPointer(pointer) {
		return v.fails(failure{err: ErrPointer, name: pointer})
	}
	for pointer != "" && v.ok() {
		var token string
		token, pointer = cutToken(pointer)
		v = v.step(token)
	}
	return v
}

// step returns the member or the element of v that the unescaped token means.
func (v Value) step(token string) Value {
	switch v.Kind() {
	case Object:
		return v.Get(token)
	case Array:
		if i, ok := arrayIndex(token); ok {
			return v.Index(i)
		}
		return v.fails(failure{err: ErrNotFound, name: token})
	}
	return v.fails(failure{err: ErrKind, want: Object})
}

// validPointer reports whether p is a JSON pointer.
func validPointer(p string) bool {
	if p != "" && p[0] != '/' {
		return false
	}
	for {
		i := strings.IndexByte(p, '~')
		if i < 0 {
			return true
		}
		if i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1' {
			return false
		}
		p = p[i+2:]
	}
}

// cutToken returns the first token of a valid pointer that is not empty, without its escapes, and the rest
// of the pointer.
func cutToken(pointer string) (token, rest string) {
	token = pointer[1:]
	if i := strings.IndexByte(token, '/'); i >= 0 {
		token, rest = token[:i], token[i:]
	}
	if strings.IndexByte(token, '~') >= 0 {
		token = unescapeToken.Replace(token)
	}
	return token, rest
}

var (
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
)

// arrayIndex returns the number of an element that a token means: decimal digits without leading zeros.
func arrayIndex(token string) (i int, ok bool) {
	const maxDigits = 18
	if token == "" || len(token) > maxDigits || token[0] == '0' && len(token) > 1 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(token) {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if int64(int(n)) != n {
		return 0, false
	}
	return int(n), true
}
