//go:build !purego

package vector

// Enabled reports whether the processor has AVX2 and BMI2, the operating system saves the registers,
// and GODEBUG does not turn them off.
var Enabled = detect() && allowed("avx", "avx2", "bmi2")

// detect queries the processor (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 1, section 14.7.1, "Detection of Intel AVX2 Hardware Support").
func detect() bool {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return false
	}
	const (
		osxsave = 1 << 27
		avx     = 1 << 28
		state   = 1<<1 | 1<<2 // the system saves XMM and YMM registers
		avx2    = 1 << 5
		bmi2    = 1 << 8
	)
	_, _, c, _ := cpuid(1, 0)
	if c&(osxsave|avx) != osxsave|avx || xgetbv()&state != state {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&(avx2|bmi2) == avx2|bmi2
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() uint32
