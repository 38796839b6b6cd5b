package syntax

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// slowNumber returns the position after the number at the start of data. It reads byte by byte.
func slowNumber(data string) int {
	state, end := BeforeNumber, 0
	for ; end < len(data); end++ {
		next, ok := number(state, data[end])
		if !ok {
			return -1
		}
		if next == AfterNumber {
			break
		}
		state = next
	}
	if !state.MayEnd() || end < len(data) && data[end]-'0' <= 9 {
		return -1
	}
	return end
}

func slowText(data string) (end int, wide bool) {
	for end < len(data) && data[end] >= ' ' && data[end] != '"' && data[end] != '\\' {
		wide = wide || data[end] >= 0x80
		end++
	}
	return end, wide
}

func sameRead(t *testing.T, data string) {
	t.Helper()
	for _, front := range []string{"", `[1, "`} { // the text before data
		text, pos := []byte(front+data), len(front)
		if end, wide := ReadText(text, pos); true {
			if slowEnd, slowWide := slowText(data); end != pos+slowEnd || wide != slowWide {
				t.Errorf("ReadText(%q): %d, %v; want %d, %v", data, end-pos, wide, slowEnd, slowWide)
			}
		}
		want := slowNumber(data)
		whole := -1 // the end of the number, or -1 if it has a fraction or an exponent
		if want >= 0 {
			if !strings.ContainsAny(data[:want], ".eE") {
				whole = pos + want
			}
			want += pos
		}
		if end := ReadNumber(text, pos); end != want {
			t.Errorf("ReadNumber(%q) is %d, want %d", data, end, want)
		}
		if f, end := ReadFloat(text, pos); true {
			wantF, err := 0.0, error(nil)
			if want >= 0 {
				wantF, err = strconv.ParseFloat(string(text[pos:want]), 64)
			}
			if ok := want >= 0 && err == nil; ok != (end >= 0) || ok && (end != want || math.Float64bits(f) != math.Float64bits(wantF)) {
				t.Errorf("ReadFloat(%q) is %v, %d; want %v, %d, %v", data, f, end, wantF, want, err)
			}
		}
		if v, end := ReadInt(text, pos); true {
			wantV, err := int64(0), error(nil)
			if whole >= 0 {
				wantV, err = strconv.ParseInt(string(text[pos:whole]), 10, 64)
			}
			if ok := whole >= 0 && err == nil; ok != (end >= 0) || ok && (end != whole || v != wantV) {
				t.Errorf("ReadInt(%q) is %d, %d; want %d, %d, %v", data, v, end, wantV, whole, err)
			}
		}
		if v, end := ReadUint(text, pos); true {
			wantV, err := uint64(0), strconv.ErrSyntax
			if whole >= 0 {
				wantV, err = strconv.ParseUint(string(text[pos:whole]), 10, 64)
			}
			if ok := whole >= 0 && err == nil; ok != (end >= 0) || ok && (end != whole || v != wantV) {
				t.Errorf("ReadUint(%q) is %d, %d; want %d, %d, %v", data, v, end, wantV, whole, err)
			}
		}
	}
}

var reads = []string{
	"", "-", "0", "-0", "00", "01", "-01", "7", "-7.5", "0.", ".5", "1.e3", "1e", "1e+", "1E-7", "+1", "1.5x", "12,", "1 2", "0e0", "-0.0",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "99999999999999999999", "100000000000000000000", "27670116110564327424", "184467440737095516150",
	"1234567890123456789", "0.1234567890123456789", "1.7976931348623157e308", "1e309", "-1e400", "4.9e-324", "1e-400",
	"123456789.123456789", "65.613616999999977", "0.000000000000000000001", "1234567.8901234567890123", "2.2250738585072011e-308",
	`plain"`, `longer than eight bytes"`, `é"`, "eight by\x1f", `eight bé\`, "seven \x7f\"", "12345678é", "\x80",
}

func TestRead(t *testing.T) {
	for _, data := range reads {
		sameRead(t, data)
		for _, end := range []string{",", "}", "]", " ", "e", ".", "-", "0", `"`, "\n       ", "5555555555"} {
			sameRead(t, data+end)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, data := range reads {
		f.Add(data)
	}
	f.Fuzz(sameRead)
}

// TestNumbers reads texts that start like a number. ReadNumber and ScanNumber, which also reads them in
// two pieces, must find exactly the numbers that ValidNumber accepts.
func TestNumbers(t *testing.T) {
	for _, text := range []string{"0", "-0", "12", "1.5", "1.5e3", "1E-2", "-", "01", "1.", "1.e", "1e", "1e+", "-x", "123456789.123456789e123", "-1.0"} {
		for _, behind := range []string{",", " ", "x", "}"} {
			data := []byte(text + behind)
			valid := ValidNumber(text)
			if end := ReadNumber(data, 0); valid && end != len(text) || end > 0 && !ValidNumber(string(data[:end])) {
				t.Errorf("ReadNumber(%q) = %d", data, end)
			}
			for cut := range len(data) {
				n, s, problem := ScanNumber(data[:cut], 0, 0)
				if problem.Kind == NeedsMore {
					n, _, problem = ScanNumber(data, n, s)
				}
				if valid && (n != len(text) || problem.Kind != NoProblem) || problem.Kind == NoProblem && !ValidNumber(string(data[:n])) {
					t.Errorf("ScanNumber(%q), cut at %d: %d, %v", data, cut, n, problem)
				}
			}
		}
	}
}
