//go:build !purego

#include "textflag.h"

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET

// Bytes that are the same in each lane.
DATA bytes<>+0(SB)/1, $0x1f // the last control character
DATA bytes<>+1(SB)/1, $0x5c // a backslash
DATA bytes<>+2(SB)/1, $0x80 // not ASCII
DATA bytes<>+3(SB)/1, $0x0f // the low half of a byte
DATA bytes<>+4(SB)/1, $0x60 // 0xe0 - 0x80
DATA bytes<>+5(SB)/1, $0x70 // 0xf0 - 0x80
DATA bytes<>+6(SB)/1, $0x22 // a quotation mark
GLOBL bytes<>(SB), RODATA|NOPTR, $7

// The second byte of U+2028 and U+2029, the mask of the bits that their third bytes share, and
// the value of these bits.
DATA lines<>+0(SB)/8, $0x8080808080808080
DATA lines<>+8(SB)/8, $0x8080808080808080
DATA lines<>+16(SB)/8, $0x8080808080808080
DATA lines<>+24(SB)/8, $0x8080808080808080
DATA lines<>+32(SB)/8, $0xfefefefefefefefe
DATA lines<>+40(SB)/8, $0xfefefefefefefefe
DATA lines<>+48(SB)/8, $0xfefefefefefefefe
DATA lines<>+56(SB)/8, $0xfefefefefefefefe
DATA lines<>+64(SB)/8, $0xa8a8a8a8a8a8a8a8
DATA lines<>+72(SB)/8, $0xa8a8a8a8a8a8a8a8
DATA lines<>+80(SB)/8, $0xa8a8a8a8a8a8a8a8
DATA lines<>+88(SB)/8, $0xa8a8a8a8a8a8a8a8
GLOBL lines<>(SB), RODATA|NOPTR, $96

// func quoteAVX2(dst []byte, s string, e *Escapes, wide bool) (read, written int)
//
// DI and DX are the rest of dst, SI and CX the rest of s.
TEXT ·quoteAVX2(SB), NOSPLIT, $0-72
	MOVQ    dst_base+0(FP), DI
	MOVQ    dst_len+8(FP), DX
	MOVQ    s_base+24(FP), SI
	MOVQ    s_len+32(FP), CX
	MOVQ    e+40(FP), R8
	MOVBLZX wide+48(FP), R9

	VPBROADCASTB 0(R8), Y8         // quoteMask
	VPBROADCASTB 1(R8), Y9         // quote
	VPBROADCASTB 2(R8), Y10        // angleMask
	VPBROADCASTB 3(R8), Y11        // angle
	VPBROADCASTB bytes<>+0(SB), Y12
	VPBROADCASTB bytes<>+1(SB), Y15
	TESTL        R9, R9
	JNE          wide
	VPBROADCASTB bytes<>+2(SB), Y13
	VMOVDQA      Y9, Y14
	JMP          loop

wide:
	VPXOR        Y13, Y13, Y13
	VPBROADCASTB 4(R8), Y14 // line

loop:
	CMPQ DX, $40
	JLT  done
	XORL R10, R10
	CMPQ CX, $34
	JGE  block

	// The last bytes. Bytes read past the end of s count as not plain.
	TESTQ CX, CX
	JE    done
	MOVL  SI, AX
	ANDL  $4095, AX
	CMPL  AX, $4062
	JGT   done
	CMPQ  CX, $32
	JGE   block
	MOVL  $-1, R10
	SHLL  CX, R10

block:
	VMOVDQU   (SI), Y0
	VMOVDQU   Y0, (DI)
	VPAND     Y0, Y8, Y1
	VPCMPEQB  Y1, Y9, Y1
	VPAND     Y0, Y10, Y2
	VPCMPEQB  Y2, Y11, Y2
	VPMINUB   Y0, Y12, Y3
	VPCMPEQB  Y3, Y0, Y3
	VPCMPEQB  Y0, Y15, Y4
	VPAND     Y0, Y13, Y5
	VPCMPEQB  Y0, Y14, Y6
	VMOVDQU   1(SI), Y7
	VPCMPEQB  lines<>+0(SB), Y7, Y7
	VPAND     Y6, Y7, Y6
	VMOVDQU   2(SI), Y7
	VPAND     lines<>+32(SB), Y7, Y7
	VPCMPEQB  lines<>+64(SB), Y7, Y7
	VPAND     Y6, Y7, Y6
	VPOR      Y1, Y2, Y1
	VPOR      Y3, Y4, Y3
	VPOR      Y5, Y6, Y5
	VPOR      Y1, Y3, Y1
	VPOR      Y1, Y5, Y1
	VPMOVMSKB Y1, AX
	ORL       R10, AX
	JNE       hit
	ADDQ      $32, SI
	ADDQ      $32, DI
	SUBQ      $32, CX
	SUBQ      $32, DX
	JMP       loop

	// AX has a bit for each byte from SI on that is not plain. The bytes before the first such
	// byte have been copied.
hit:
	BSFQ    AX, BX
	ADDQ    BX, SI
	ADDQ    BX, DI
	SUBQ    BX, DX
	SUBQ    BX, CX
	JE      done
	SHRXQ   BX, AX, AX
	MOVBLZX (SI), R11
	CMPL    R11, $0x80
	JAE     high
	MOVQ    8(R8)(R11*8), BX
	MOVQ    BX, (DI)
	MOVBLZX 1032(R8)(R11*1), BX
	ADDQ    BX, DI
	SUBQ    BX, DX
	INCQ    SI
	DECQ    CX
	SHRQ    $1, AX
	JE      loop

more:
	CMPQ    CX, $32
	JLT     loop
	CMPQ    DX, $40
	JLT     loop
	VMOVDQU (SI), Y0
	VMOVDQU Y0, (DI)
	JMP     hit

high:
	TESTL   R9, R9
	JE      done
	MOVQ    $0x38323032755c, BX // \u2028
	MOVBLZX 2(SI), R11
	ANDL    $1, R11
	SHLQ    $40, R11
	ADDQ    R11, BX
	MOVQ    BX, (DI)
	ADDQ    $3, SI
	ADDQ    $6, DI
	SUBQ    $3, CX
	SUBQ    $6, DX
	SHRQ    $3, AX
	JNE     more
	JMP     loop

done:
	VZEROUPPER
	MOVQ s_len+32(FP), AX
	SUBQ CX, AX
	MOVQ AX, read+56(FP)
	SUBQ dst_base+0(FP), DI
	MOVQ DI, written+64(FP)
	RET

// func textAVX2(b []byte, pos int) int
TEXT ·textAVX2(SB), NOSPLIT, $0-40
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	MOVQ pos+24(FP), AX
	SUBQ $32, CX // the last possible start of a block

	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+6(SB), Y2

run:
	CMPQ      AX, CX
	JGT       ran
	VMOVDQU   (SI)(AX*1), Y3
	VPMINUB   Y3, Y0, Y4
	VPCMPEQB  Y4, Y3, Y4
	VPCMPEQB  Y3, Y1, Y5
	VPCMPEQB  Y3, Y2, Y6
	VPOR      Y5, Y6, Y5
	VPOR      Y4, Y5, Y4
	VPMOVMSKB Y4, BX
	TESTL     BX, BX
	JNE       stop
	ADDQ      $32, AX
	JMP       run

stop:
	BSFQ BX, BX
	ADDQ BX, AX

ran:
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// The tables of John Keiser and Daniel Lemire, "Validating UTF-8 In Less Than One
// Instruction Per Byte" (2021), section 6: the errors that are possible for the high half of a byte,
// for its low half, and for the high half of the next byte.
DATA firstHigh<>+0(SB)/8, $0x0202020202020202
DATA firstHigh<>+8(SB)/8, $0x4915012180808080
GLOBL firstHigh<>(SB), RODATA|NOPTR, $16

DATA firstLow<>+0(SB)/8, $0xcbcbcb8b8383a3e7
DATA firstLow<>+8(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL firstLow<>(SB), RODATA|NOPTR, $16

DATA secondHigh<>+0(SB)/8, $0x0101010101010101
DATA secondHigh<>+8(SB)/8, $0x01010101babaaee6
GLOBL secondHigh<>(SB), RODATA|NOPTR, $16

// The largest bytes that may end a text, because a character must not continue past the end.
DATA ending<>+0(SB)/8, $0xffffffffffffffff
DATA ending<>+8(SB)/8, $0xffffffffffffffff
DATA ending<>+16(SB)/8, $0xffffffffffffffff
DATA ending<>+24(SB)/8, $0xbfdfefffffffffff
GLOBL ending<>(SB), RODATA|NOPTR, $32

// func validAVX2(b []byte) bool
TEXT ·validAVX2(SB), NOSPLIT, $0-25
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	LEAQ ret+24(FP), R9
	JMP  check<>(SB)

// func validStringAVX2(s string) bool
TEXT ·validStringAVX2(SB), NOSPLIT, $0-17
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	LEAQ ret+16(FP), R9
	JMP  check<>(SB)

// check writes to R9 whether the CX bytes at SI, at least 35, are UTF-8. Y6 is the
// previous block, and Y7 has the errors found so far.
TEXT check<>(SB), NOSPLIT, $0
	VBROADCASTI128 firstHigh<>(SB), Y8
	VBROADCASTI128 firstLow<>(SB), Y9
	VBROADCASTI128 secondHigh<>(SB), Y10
	VPBROADCASTB   bytes<>+3(SB), Y11
	VPBROADCASTB   bytes<>+4(SB), Y12
	VPBROADCASTB   bytes<>+5(SB), Y13
	VPBROADCASTB   bytes<>+2(SB), Y14
	VMOVDQU        ending<>(SB), Y15
	VPXOR          Y6, Y6, Y6
	VPXOR          Y7, Y7, Y7

next:
	CMPQ      CX, $32
	JLT       last
	VMOVDQU   (SI), Y0
	ADDQ      $32, SI
	SUBQ      $32, CX
	VPMOVMSKB Y0, AX
	TESTL     AX, AX
	JNE       shifted

	// An ASCII block, which has no continuation bytes.
	VPSUBUSB Y15, Y6, Y1
	VPOR     Y1, Y7, Y7
	VMOVDQA  Y0, Y6
	JMP      next

shifted:
	// The bytes one, two and three positions before each byte.
	VPERM2I128 $0x21, Y0, Y6, Y1
	VPALIGNR   $15, Y1, Y0, Y2
	VPALIGNR   $14, Y1, Y0, Y3
	VPALIGNR   $13, Y1, Y0, Y4

pairs:
	// The errors of two consecutive bytes.
	VPSRLW  $4, Y2, Y5
	VPAND   Y11, Y5, Y5
	VPSHUFB Y5, Y8, Y5
	VPAND   Y11, Y2, Y2
	VPSHUFB Y2, Y9, Y2
	VPAND   Y2, Y5, Y5
	VPSRLW  $4, Y0, Y2
	VPAND   Y11, Y2, Y2
	VPSHUFB Y2, Y10, Y2
	VPAND   Y2, Y5, Y5

	// Two consecutive continuation bytes are required at third and fourth bytes, and only there.
	VPSUBUSB Y12, Y3, Y3
	VPSUBUSB Y13, Y4, Y4
	VPOR     Y3, Y4, Y3
	VPAND    Y14, Y3, Y3
	VPXOR    Y3, Y5, Y5
	VPOR     Y5, Y7, Y7
	VMOVDQA  Y0, Y6
	JMP      next

last:
	TESTQ   CX, CX
	JE      end
	ADDQ    CX, SI
	XORL    CX, CX
	VMOVDQU -32(SI), Y0 // overlaps bytes that have been checked
	VMOVDQU -33(SI), Y2
	VMOVDQU -34(SI), Y3
	VMOVDQU -35(SI), Y4
	JMP     pairs

end:
	VPSUBUSB Y15, Y6, Y1
	VPOR     Y1, Y7, Y7
	VPTEST   Y7, Y7
	SETEQ    (R9)
	VZEROUPPER
	RET
