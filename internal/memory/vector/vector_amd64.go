//go:build !purego

package vector

// Enabled reports whether the processor has AVX2 and BMI2, the operating system saves the registers,
// and GODEBUG does not turn them off.
var Enabled = has.avx2 && allowed("avx", "avx2", "bmi2")

// avx512 is set if the loops for AVX-512 are used instead of the loops for AVX2. They need the
// foundation (F), bytes and words (BW) and the permutations of bytes (VBMI).
var avx512 = Enabled && has.avx512 && allowed("avx512f", "avx512bw")

// Short reports whether CopyShort can be called: only with AVX-512, whose masked loads and stores need no
// loop.
var Short = avx512

// MinPlain is the length from which on Quote is faster than a loop in Go even for plain text.
// MinValid is the same for Valid. The loop of AVX2 that validates requires at least 35 bytes.
var MinPlain, MinValid = minima()

func minima() (plain, valid int) {
	if avx512 {
		return 32, 20
	}
	return 64, 48
}

var has = detect()

// features are groups of instructions that the processor has and the operating system supports.
type features struct{ avx2, avx512 bool }

// detect queries the processor (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 1, sections 14.7.1, "Detection of Intel AVX2 Hardware Support", and 15.2, "Detection of
// AVX-512 Foundation Instructions").
func detect() (f features) {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return f
	}
	const (
		// Leaf 1, register C.
		osxsave = 1 << 27
		avx     = 1 << 28
		// XCR0, the registers that the operating system saves.
		ymm = 1<<1 | 1<<2              // XMM and YMM
		zmm = ymm | 1<<5 | 1<<6 | 1<<7 // also the masks and ZMM
		// Leaf 7, register B.
		avx2     = 1 << 5
		bmi2     = 1 << 8
		avx512f  = 1 << 16
		avx512bw = 1 << 30
		// Leaf 7, register C.
		avx512vbmi = 1 << 1
	)
	_, _, c, _ := cpuid(1, 0)
	if c&(osxsave|avx) != osxsave|avx {
		return f
	}
	_, b, c, _ := cpuid(7, 0)
	saved := xgetbv()
	f.avx2 = saved&ymm == ymm && b&(avx2|bmi2) == avx2|bmi2
	f.avx512 = saved&zmm == zmm && b&(avx512f|avx512bw) == avx512f|avx512bw && c&avx512vbmi != 0
	return f
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() uint32

func quote(dst []byte, s string, e *Escapes, wide bool) (read, written int) {
	if avx512 {
		return quoteAVX512(dst, s, e, wide)
	}
	return quoteAVX2(dst, s, e, wide)
}

func copyShort(dst []byte, s string, e *Escapes) int { return copyShortAVX512(dst, s, e) }

func valid(b []byte) bool {
	if avx512 {
		return validAVX512(b)
	}
	return validAVX2(b)
}

func validString(s string) bool {
	if avx512 {
		return validStringAVX512(s)
	}
	return validStringAVX2(s)
}

func text(b []byte, pos int) int {
	if avx512 {
		return textAVX512(b, pos)
	}
	return textAVX2(b, pos)
}

//go:noescape
func quoteAVX2(dst []byte, s string, e *Escapes, wide bool) (read, written int)

//go:noescape
func validAVX2(b []byte) bool

//go:noescape
func validStringAVX2(s string) bool

//go:noescape
func textAVX2(b []byte, pos int) int

//go:noescape
func quoteAVX512(dst []byte, s string, e *Escapes, wide bool) (read, written int)

//go:noescape
func copyShortAVX512(dst []byte, s string, e *Escapes) int

//go:noescape
func validAVX512(b []byte) bool

//go:noescape
func validStringAVX512(s string) bool

//go:noescape
func textAVX512(b []byte, pos int) int
