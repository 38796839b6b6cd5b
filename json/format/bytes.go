package format

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// Hex is a []byte whose text is hexadecimal, such as "00ff". Upper-case input is accepted too.
type Hex []byte

// Base64URL is a []byte whose text is base64url without padding (RFC 4648, section 5), as in
// JSON Web Tokens and JSON Web Keys.
type Base64URL []byte

// Base32 is a []byte whose text is base32 in upper case with padding (RFC 4648, section 6).
type Base32 []byte

const (
	hexForm    = "hexadecimal"
	base64Form = "base64url without padding"
	base32Form = "base32"
)

var strict64 = base64.RawURLEncoding.Strict()

// AppendText appends the text of v, which is empty if v is empty.
func (v Hex) AppendText(b []byte) ([]byte, error) { return hex.AppendEncode(b, v), nil }

// MarshalText returns the text that AppendText appends.
func (v Hex) MarshalText() ([]byte, error) { return appended(v.AppendText, hex.EncodedLen(len(v))) }

func (v Hex) String() string {
	b, _ := v.MarshalText()
	return string(b)
}

// AppendText appends the text of v, which is empty if v is empty.
func (v Base64URL) AppendText(b []byte) ([]byte, error) { return strict64.AppendEncode(b, v), nil }

// MarshalText returns the text that AppendText appends.
func (v Base64URL) MarshalText() ([]byte, error) {
	return appended(v.AppendText, strict64.EncodedLen(len(v)))
}

func (v Base64URL) String() string {
	b, _ := v.MarshalText()
	return string(b)
}

// AppendText appends the text of v, which is empty if v is empty.
func (v Base32) AppendText(b []byte) ([]byte, error) {
	return base32.StdEncoding.AppendEncode(b, v), nil
}

// MarshalText returns the text that AppendText appends.
func (v Base32) MarshalText() ([]byte, error) {
	return appended(v.AppendText, base32.StdEncoding.EncodedLen(len(v)))
}

func (v Base32) String() string {
	b, _ := v.MarshalText()
	return string(b)
}

// UnmarshalText decodes hexadecimal into new memory.
func (v *Hex) UnmarshalText(text []byte) error {
	out, err := hex.AppendDecode(make([]byte, 0, len(text)/2), text)
	if err != nil {
		return refused(text, hexForm, ErrSyntax)
	}
	*v = out
	return nil
}

// UnmarshalText decodes base64url into new memory.
func (v *Base64URL) UnmarshalText(text []byte) error {
	out, err := strict64.AppendDecode(make([]byte, 0, strict64.DecodedLen(len(text))), text)
	if err != nil || bytes.ContainsAny(text, "\r\n") { // package base64 skips line ends
		return refused(text, base64Form, ErrSyntax)
	}
	*v = out
	return nil
}

// UnmarshalText decodes base32 into new memory.
func (v *Base32) UnmarshalText(text []byte) error {
	out, err := base32.StdEncoding.AppendDecode(make([]byte, 0, base32.StdEncoding.DecodedLen(len(text))), text)
	// Package base32 skips line ends, and accepts nonzero padding bits, so the output is compared
	// with the input.
	if err != nil || !strings.EqualFold(string(text), base32.StdEncoding.EncodeToString(out)) {
		return refused(text, base32Form, ErrSyntax)
	}
	*v = out
	return nil
}
