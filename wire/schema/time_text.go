package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The first and the last second of the years 0 to 9999, the range of RFC 3339.
const (
	minText = -62167219200
	maxText = 253402300799
)

// text returns t in the form of RFC 3339, followed by the name of its zone in brackets as in RFC
// 9557. ok is false if this form cannot represent t.
func (t Time) text() (s string, ok bool) {
	offset := int64(t.Offset)
	local := t.Seconds
	if local < minText-math.MaxInt32 || local > maxText+math.MaxInt32 || offset%60 != 0 || offset <= -86400 || offset >= 86400 || !utf8.ValidString(t.Name) {
		return "", false
	}
	if local += offset; local < minText || local > maxText {
		return "", false
	}
	var b strings.Builder
	b.WriteString(time.Unix(local, 0).UTC().Format("2006-01-02T15:04:05"))
	if t.Nanoseconds > 0 {
		b.WriteString(strings.TrimRight(fmt.Sprintf(".%09d", t.Nanoseconds), "0"))
	}
	if t.Zone == ZoneUTC {
		b.WriteByte('Z')
		return b.String(), true
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	fmt.Fprintf(&b, "%c%02d:%02d", sign, offset/3600, offset/60%60)
	if t.Zone == ZoneNamed {
		b.WriteString("[" + t.Name + "]")
	}
	return b.String(), true
}

// parseTime is the inverse of Time.text. Z followed by a name is a named zone with the offset
// 0.
func parseTime(s string) (t Time, ok bool) {
	if i := strings.IndexByte(s, '['); i >= 0 {
		if s[len(s)-1] != ']' {
			return t, false
		}
		t.Zone, t.Name = ZoneNamed, s[i+1:len(s)-1]
		s = s[:i]
	}
	const digits = len("2006-01-02T15:04:05")
	if len(s) <= digits {
		return t, false
	}
	at, err := time.Parse("2006-01-02T15:04:05", s[:digits])
	if err != nil || at.Format("2006-01-02T15:04:05") != s[:digits] {
		return t, false
	}
	t.Seconds = at.Unix()
	s = s[digits:]
	if s[0] == '.' {
		n := 1
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 1 || n > 10 {
			return t, false
		}
		v, _ := strconv.ParseUint((s[1:n] + "00000000")[:9], 10, 32) // nine digits
		t.Nanoseconds = uint32(v)
		s = s[n:]
	}
	if s == "Z" {
		return t, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return t, false
	}
	hours, err1 := strconv.ParseUint(s[1:3], 10, 8)
	minutes, err2 := strconv.ParseUint(s[4:], 10, 8)
	if err1 != nil || err2 != nil || hours > 23 || minutes > 59 {
		return t, false
	}
	t.Offset = int32(hours*3600 + minutes*60)
	if s[0] == '-' {
		t.Offset = -t.Offset
	}
	if t.Zone == ZoneUTC {
		t.Zone = ZoneLocal
	}
	t.Seconds -= int64(t.Offset)
	return t, true
}
