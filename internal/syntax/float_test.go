package syntax

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// checkFloat compares writing and reading with encoding/json and strconv.
func checkFloat(t *testing.T, f float64) {
	t.Helper()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return
	}
	want, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := AppendFloat(nil, f, 64); string(got) != string(want) {
		t.Fatalf("AppendFloat(%x) = %s, want %s", f, got, want)
	}
	checkParse(t, string(want))
	single := float32(f)
	if math.IsInf(float64(single), 0) {
		return
	}
	if want, err = json.Marshal(single); err != nil {
		t.Fatal(err)
	}
	if got := AppendFloat(nil, float64(single), 32); string(got) != string(want) {
		t.Fatalf("AppendFloat(float32 %x) = %s, want %s", single, got, want)
	}
	checkParse(t, string(want))
}

func checkParse(t *testing.T, s string) {
	t.Helper()
	// The bytes after a number may be close to the ASCII digits, or missing.
	tail := []string{"", ",", "]/:,012345", " \xff\x80\xb0\xb9 0"}[len(s)%4]
	want, err := strconv.ParseFloat(s, 64)
	if got, ok := ParseFloat([]byte(s+tail), 0, len(s)); ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("ParseFloat(%s) = %x, %v, want %x, %v", s, got, ok, want, err)
	}
	want, err = strconv.ParseFloat(s, 32)
	if got, ok := ParseFloat32([]byte(s+tail), 0, len(s)); ok != (err == nil) || ok && math.Float32bits(got) != math.Float32bits(float32(want)) {
		t.Fatalf("ParseFloat32(%s) = %x, %v, want %x, %v", s, got, ok, want, err)
	}
}

func TestFloatTables(t *testing.T) {
	for p := minPower; p <= maxPower; p++ {
		exact := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(p, -p))), nil))
		if p < 0 {
			exact.Inv(exact)
		}
		power := powers[p-minPower]
		scaled := new(big.Int).Lsh(new(big.Int).SetUint64(power.hi), 64)
		scaled.Sub(scaled, new(big.Int).SetUint64(power.lo))
		if scaled.BitLen() != 128 {
			t.Errorf("1e%d has %d bits", p, scaled.BitLen())
		}
		ratio := new(big.Rat).SetInt(scaled)
		two := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(log2Pow10(p)-127, 127-log2Pow10(p)))))
		if log2Pow10(p) < 127 {
			two.Inv(two)
		}
		excess := ratio.Mul(ratio, two).Sub(ratio, exact)
		if excess.Sign() < 0 || excess.Cmp(two) >= 0 {
			t.Errorf("1e%d is off by %v", p, excess)
		}
	}
	ten := func(p int) *big.Float {
		x := new(big.Float).SetPrec(5000).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(p, -p))), nil))
		if p < 0 {
			x.Quo(big.NewFloat(1).SetPrec(5000), x)
		}
		return x
	}
	for e := -1200; e <= 1100; e++ {
		two := new(big.Float).SetPrec(5000).SetMantExp(big.NewFloat(1), e)
		if l := log10Pow2(e); ten(l).Cmp(two) > 0 || ten(l+1).Cmp(two) <= 0 {
			t.Errorf("log10(2^%d) is not %d", e, l)
		}
		two.Mul(two, big.NewFloat(0.75))
		if l := log10ThreeQuarters(e); ten(l).Cmp(two) > 0 || ten(l+1).Cmp(two) <= 0 {
			t.Errorf("log10(3/4 * 2^%d) is not %d", e, l)
		}
	}
}

func TestFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 60_000
	if testing.Short() {
		n /= 30
	}
	for e := range uint64(2047) {
		// Check the floats next to each power of two, where the distance between floats changes.
		for _, m := range []uint64{0, 1, 2, 1<<52 - 2, 1<<52 - 1} {
			checkFloat(t, math.Float64frombits(e<<52|m))
		}
	}
	for e := range uint32(255) {
		for _, m := range []uint32{0, 1, 2, 1<<23 - 2, 1<<23 - 1} {
			checkFloat(t, float64(math.Float32frombits(e<<23|m)))
		}
	}
	for p := -330; p <= 310; p++ {
		f, _ := strconv.ParseFloat("1e"+strconv.Itoa(p), 64)
		for _, f := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, 1e300), -f} {
			checkFloat(t, f)
		}
	}
	for range n {
		checkFloat(t, math.Float64frombits(r.Uint64()))
		checkFloat(t, float64(math.Float32frombits(r.Uint32())))
		checkFloat(t, float64(r.Int64N(1e15))/math.Pow10(r.IntN(12)))
		short := float64(r.Int64N(1<<r.IntN(51)+1)) / math.Pow10(r.IntN(9))
		for _, f := range []float64{short, math.Nextafter(short, 0), math.Nextafter(short, 1e300)} {
			checkFloat(t, f)
		}
	}
}

// TestParseFloatHard reads numbers at, just below and just above the midpoint of two floats. The
// results must be the same as with strconv. Some numbers have more than nineteen digits, so
// ParseFloat itself calls strconv for them.
func TestParseFloatHard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := 6_000
	if testing.Short() {
		n /= 30
	}
	for range n {
		f := math.Float64frombits(r.Uint64())
		if r.IntN(4) == 0 {
			f = float64(math.Float32frombits(r.Uint32()))
		}
		next := math.Nextafter(f, math.Inf(1))
		if math.IsNaN(f) || math.IsInf(f, 0) || math.IsInf(next, 0) {
			continue
		}
		if r.IntN(4) == 0 {
			next = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
			f = float64(float32(f))
			if math.IsInf(f, 0) || math.IsInf(next, 0) {
				continue
			}
		}
		middle := new(big.Float).SetPrec(2000).SetFloat64(f)
		middle.Add(middle, big.NewFloat(next)).Quo(middle, big.NewFloat(2))
		for _, digits := range []int{15, 16, 17, 18, 19, 20, 25} {
			s := middle.Text('e', digits-1)
			checkParse(t, s)
			mantissa, exp, _ := strings.Cut(s, "e")
			last := mantissa[len(mantissa)-1]
			if last > '0' {
				checkParse(t, mantissa[:len(mantissa)-1]+string(last-1)+"e"+exp)
			}
			if last < '9' {
				checkParse(t, mantissa[:len(mantissa)-1]+string(last+1)+"e"+exp)
			}
		}
	}
	for _, s := range []string{
		"0", "-0", "0.0", "-0.0e5", "0e400", "0e-400", "1e400", "-1e400", "1e-400", "1e99999999999999999999", "1e-99999999999999999999",
		"9007199254740993", "9007199254740992.5", "9007199254740993.0", "18446744073709551615", "18446744073709551616", "9999999999999999999",
		"1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "179769313486231580793e289",
		"4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308",
		"3.4028235e38", "3.4028236e38", "3.4028234663852886e38", "3.4028235677973366e38", "1.4e-45", "7.0064923216240853e-46", "7.006492321624086e-46",
		"0.0000000000000000000000000000000000000000000001", "0.000000000000000000001234567890123456789", "00.5"[1:],
		"1234567890123456789", "12345678901234567890", "0.1234567890123456789", "1234567.890123456789", "100000000000000000000000", "1e23", "8.5e22",
	} {
		checkParse(t, s)
	}
}

func FuzzFloat(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1, 1e-6, 9.99e-7, 1e20, 1e21, 1e-9, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi} {
		f.Add(math.Float64bits(v), strconv.FormatFloat(v, 'g', -1, 64))
	}
	f.Add(uint64(0x0010000000000000), "1.5e300")
	f.Add(uint64(0x3ff0000000000001), "123456789.123456789e-5")
	f.Fuzz(func(t *testing.T, b uint64, s string) {
		checkFloat(t, math.Float64frombits(b))
		if ValidNumber(s) {
			checkParse(t, s)
		}
	})
}

func BenchmarkFloat(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	floats := make([]float64, 1000)
	short := make([]float64, len(floats)) // two digits after the point
	texts := make([][]byte, len(floats))
	for i := range floats {
		short[i] = float64(r.IntN(1e5)) / 100
		floats[i] = r.Float64() * 180
		texts[i] = strconv.AppendFloat(nil, floats[i], 'g', -1, 64)
	}
	var room [64]byte
	b.Run("append/ours", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			AppendFloat(room[:0], floats[i%len(floats)], 64)
		}
	})
	b.Run("append/ours, short", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			AppendFloat(room[:0], short[i%len(short)], 64)
		}
	})
	b.Run("append/strconv", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			strconv.AppendFloat(room[:0], floats[i%len(floats)], 'f', -1, 64)
		}
	})
	b.Run("parse/ours", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			ParseFloat(texts[i%len(texts)], 0, len(texts[i%len(texts)]))
		}
	})
	b.Run("parse/strconv", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = strconv.ParseFloat(string(texts[i%len(texts)]), 64)
		}
	})
}
