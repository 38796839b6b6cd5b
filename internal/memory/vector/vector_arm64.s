//go:build !purego

#include "textflag.h"

// func quote(dst []byte, s string, e *Escapes, wide bool) (read, written int)
//
// R0 and R1 are the rest of dst, R2 and R3 the rest of s.
TEXT ·quote(SB), NOSPLIT, $0-72
	MOVD  dst_base+0(FP), R0
	MOVD  dst_len+8(FP), R1
	MOVD  s_base+24(FP), R2
	MOVD  s_len+32(FP), R3
	MOVD  e+40(FP), R4
	MOVBU wide+48(FP), R5

	MOVBU 0(R4), R6
	VDUP  R6, V16.B16 // quoteMask
	MOVBU 1(R4), R6
	VDUP  R6, V17.B16 // quote
	MOVBU 2(R4), R6
	VDUP  R6, V18.B16 // angleMask
	MOVBU 3(R4), R6
	VDUP  R6, V19.B16 // angle
	MOVD  $0x1f, R6
	VDUP  R6, V20.B16 // the last control character
	MOVD  $0x5c, R6
	VDUP  R6, V21.B16 // a backslash
	MOVD  $0x8040201008040201, R6
	VDUP  R6, V24.D2  // a bit for each of eight bytes
	MOVD  $0x80, R6
	VDUP  R6, V25.B16 // the second byte of U+2028 and U+2029
	MOVD  $0xfe, R6
	VDUP  R6, V26.B16 // the mask of the bits that their third bytes share
	MOVD  $0xa8, R6
	VDUP  R6, V27.B16 // the value of these bits
	CBNZ  R5, wide
	MOVD  $0x80, R6
	VDUP  R6, V22.B16 // not ASCII
	VMOV  V17.B16, V23.B16
	B     loop

wide:
	VEOR  V22.B16, V22.B16, V22.B16
	MOVBU 4(R4), R6
	VDUP  R6, V23.B16 // line

loop:
	CMP  $40, R1
	BLT  done
	MOVD ZR, R10
	CMP  $18, R3
	BGE  block

	// The last bytes. Bytes read past the end of s count as not plain.
	CBZ  R3, done
	AND  $4095, R2, R6
	CMP  $4078, R6
	BGT  done
	CMP  $16, R3
	BGE  block
	MOVD $-1, R10
	LSL  R3, R10, R10

block:
	VLD1   (R2), [V0.B16]
	VST1   [V0.B16], (R0)
	VAND   V16.B16, V0.B16, V1.B16
	VCMEQ  V17.B16, V1.B16, V1.B16
	VAND   V18.B16, V0.B16, V2.B16
	VCMEQ  V19.B16, V2.B16, V2.B16
	VUMIN  V20.B16, V0.B16, V3.B16
	VCMEQ  V0.B16, V3.B16, V3.B16
	VCMEQ  V21.B16, V0.B16, V4.B16
	VCMTST V22.B16, V0.B16, V5.B16
	VCMEQ  V23.B16, V0.B16, V6.B16
	ADD    $1, R2, R7
	VLD1   (R7), [V7.B16]
	VCMEQ  V25.B16, V7.B16, V7.B16
	VAND   V6.B16, V7.B16, V6.B16
	ADD    $2, R2, R7
	VLD1   (R7), [V7.B16]
	VAND   V26.B16, V7.B16, V7.B16
	VCMEQ  V27.B16, V7.B16, V7.B16
	VAND   V6.B16, V7.B16, V6.B16
	VORR   V1.B16, V2.B16, V1.B16
	VORR   V3.B16, V4.B16, V3.B16
	VORR   V5.B16, V6.B16, V5.B16
	VORR   V1.B16, V3.B16, V1.B16
	VORR   V1.B16, V5.B16, V1.B16

	// One bit for each byte.
	VAND  V24.B16, V1.B16, V1.B16
	VADDP V1.B16, V1.B16, V1.B16
	VADDP V1.B16, V1.B16, V1.B16
	VADDP V1.B16, V1.B16, V1.B16
	VMOV  V1.H[0], R6
	ORR   R10, R6, R6
	CBNZ  R6, hit
	ADD   $16, R2, R2
	ADD   $16, R0, R0
	SUB   $16, R3, R3
	SUB   $16, R1, R1
	B     loop

	// R6 has a bit for each byte from R2 on that is not plain. The bytes before the first such
	// byte have been copied.
hit:
	RBIT  R6, R7
	CLZ   R7, R7
	ADD   R7, R2, R2
	ADD   R7, R0, R0
	SUB   R7, R1, R1
	SUBS  R7, R3, R3
	BEQ   done
	LSR   R7, R6, R6
	MOVBU (R2), R8
	CMP   $0x80, R8
	BHS   high
	ADD   R8<<3, R4, R9
	MOVD  8(R9), R9
	MOVD  R9, (R0)
	ADD   R8, R4, R9
	MOVBU 1032(R9), R9
	ADD   R9, R0, R0
	SUB   R9, R1, R1
	ADD   $1, R2, R2
	SUB   $1, R3, R3
	LSR   $1, R6, R6
	CBZ   R6, loop

more:
	CMP  $16, R3
	BLT  loop
	CMP  $40, R1
	BLT  loop
	VLD1 (R2), [V0.B16]
	VST1 [V0.B16], (R0)
	B    hit

high:
	CBZ   R5, done
	MOVBU 2(R2), R9
	AND   $1, R9, R9
	MOVD  $0x38323032755c, R11 // \u2028
	ADD   R9<<40, R11, R11
	MOVD  R11, (R0)
	ADD   $6, R0, R0
	SUB   $6, R1, R1
	ADD   $3, R2, R2
	SUB   $3, R3, R3
	LSR   $3, R6, R6
	CBNZ  R6, more
	B     loop

done:
	MOVD s_len+32(FP), R6
	SUB  R3, R6, R6
	MOVD R6, read+56(FP)
	MOVD dst_base+0(FP), R6
	SUB  R6, R0, R0
	MOVD R0, written+64(FP)
	RET

// func text(b []byte, pos int) int
TEXT ·text(SB), NOSPLIT, $0-40
	MOVD b_base+0(FP), R0
	MOVD b_len+8(FP), R1
	MOVD pos+24(FP), R2
	SUB  $16, R1, R1 // the last possible start of a block
	MOVD $0x1f, R3
	VDUP R3, V0.B16
	MOVD $0x5c, R3
	VDUP R3, V1.B16
	MOVD $0x22, R3
	VDUP R3, V2.B16

run:
	CMP   R1, R2
	BGT   ran
	ADD   R2, R0, R3
	VLD1  (R3), [V3.B16]
	VUMIN V0.B16, V3.B16, V4.B16
	VCMEQ V3.B16, V4.B16, V4.B16
	VCMEQ V1.B16, V3.B16, V5.B16
	VCMEQ V2.B16, V3.B16, V6.B16
	VORR  V5.B16, V6.B16, V5.B16
	VORR  V4.B16, V5.B16, V4.B16
	VMOV  V4.D[0], R4
	VMOV  V4.D[1], R5
	CBNZ  R4, first
	CBNZ  R5, second
	ADD   $16, R2, R2
	B     run

second:
	ADD  $8, R2, R2
	MOVD R5, R4

	// The index of the first byte that is set in R4.
first:
	RBIT R4, R4
	CLZ  R4, R4
	ADD  R4>>3, R2, R2

ran:
	MOVD R2, ret+32(FP)
	RET

// The tables of John Keiser and Daniel Lemire, "Validating UTF-8 In Less Than One
// Instruction Per Byte" (2021), section 6: the errors that are possible for the high half of a byte,
// for its low half, and for the high half of the next byte. The last table has the largest bytes
// that may end a text, because a character must not continue past the end.
DATA tables<>+0(SB)/8, $0x0202020202020202
DATA tables<>+8(SB)/8, $0x4915012180808080
DATA tables<>+16(SB)/8, $0xcbcbcb8b8383a3e7
DATA tables<>+24(SB)/8, $0xcbcbdbcbcbcbcbcb
DATA tables<>+32(SB)/8, $0x0101010101010101
DATA tables<>+40(SB)/8, $0x01010101babaaee6
DATA tables<>+48(SB)/8, $0xffffffffffffffff
DATA tables<>+56(SB)/8, $0xbfdfefffffffffff
GLOBL tables<>(SB), RODATA|NOPTR, $64

// func valid(b []byte) bool
TEXT ·valid(SB), NOSPLIT, $0-25
	MOVD b_base+0(FP), R0
	MOVD b_len+8(FP), R1
	MOVD $ret+24(FP), R2
	B    check<>(SB)

// func validString(s string) bool
TEXT ·validString(SB), NOSPLIT, $0-17
	MOVD s_base+0(FP), R0
	MOVD s_len+8(FP), R1
	MOVD $ret+16(FP), R2
	B    check<>(SB)

// check writes to R2 whether the R1 bytes at R0, at least 19, are UTF-8. V6 is the
// previous block, and V8 has the errors found so far.
TEXT check<>(SB), NOSPLIT|NOFRAME, $0
	MOVD $tables<>(SB), R3
	VLD1 (R3), [V16.B16, V17.B16, V18.B16, V19.B16]
	MOVD $0x0f, R4
	VDUP R4, V23.B16
	MOVD $0xe0, R4
	VDUP R4, V20.B16
	MOVD $0xf0, R4
	VDUP R4, V21.B16
	MOVD $0x80, R4
	VDUP R4, V22.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V8.B16, V8.B16, V8.B16

next:
	CMP  $16, R1
	BLT  last
	VLD1.P 16(R0), [V0.B16]
	SUB  $16, R1, R1
	VMOV V0.D[0], R4
	VMOV V0.D[1], R5
	ORR  R4, R5, R4
	TST  $0x8080808080808080, R4
	BNE  shifted

	// An ASCII block, which has no continuation bytes.
	VUMAX V19.B16, V6.B16, V1.B16
	VEOR  V19.B16, V1.B16, V1.B16
	VORR  V1.B16, V8.B16, V8.B16
	VMOV  V0.B16, V6.B16
	B     next

shifted:
	// The bytes one, two and three positions before each byte.
	VEXT $15, V0.B16, V6.B16, V2.B16
	VEXT $14, V0.B16, V6.B16, V3.B16
	VEXT $13, V0.B16, V6.B16, V4.B16

pairs:
	// The errors of two consecutive bytes.
	VUSHR $4, V2.B16, V5.B16
	VTBL  V5.B16, [V16.B16], V5.B16
	VAND  V23.B16, V2.B16, V2.B16
	VTBL  V2.B16, [V17.B16], V2.B16
	VAND  V2.B16, V5.B16, V5.B16
	VUSHR $4, V0.B16, V2.B16
	VTBL  V2.B16, [V18.B16], V2.B16
	VAND  V2.B16, V5.B16, V5.B16

	// Two consecutive continuation bytes are required at third and fourth bytes, and only there.
	VUMAX V20.B16, V3.B16, V7.B16
	VCMEQ V3.B16, V7.B16, V3.B16
	VUMAX V21.B16, V4.B16, V7.B16
	VCMEQ V4.B16, V7.B16, V4.B16
	VORR  V3.B16, V4.B16, V3.B16
	VAND  V22.B16, V3.B16, V3.B16
	VEOR  V3.B16, V5.B16, V5.B16
	VORR  V5.B16, V8.B16, V8.B16
	VMOV  V0.B16, V6.B16
	B     next

last:
	CBZ  R1, end
	ADD  R1, R0, R0
	MOVD ZR, R1
	SUB  $16, R0, R3 // overlaps bytes that have been checked
	VLD1 (R3), [V0.B16]
	SUB  $1, R3, R3
	VLD1 (R3), [V2.B16]
	SUB  $1, R3, R3
	VLD1 (R3), [V3.B16]
	SUB  $1, R3, R3
	VLD1 (R3), [V4.B16]
	B    pairs

end:
	VUMAX V19.B16, V6.B16, V1.B16
	VEOR  V19.B16, V1.B16, V1.B16
	VORR  V1.B16, V8.B16, V8.B16
	VMOV  V8.D[0], R4
	VMOV  V8.D[1], R5
	ORR   R4, R5, R4
	CMP   $0, R4
	CSET  EQ, R4
	MOVB  R4, (R2)
	RET
