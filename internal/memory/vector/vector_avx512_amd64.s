//go:build !purego

#include "textflag.h"

// The last block of a text is shorter than 64 bytes. It is loaded with a mask, so that memory after
// the text is not read, and the missing bytes are zeros.

// func quoteAVX512(dst []byte, s string, e *Escapes, wide bool) (read, written int)
//
// DI and DX are the rest of dst, SI and CX the rest of s.
TEXT ·quoteAVX512(SB), NOSPLIT, $0-72
	MOVQ    dst_base+0(FP), DI
	MOVQ    dst_len+8(FP), DX
	MOVQ    s_base+24(FP), SI
	MOVQ    s_len+32(FP), CX
	MOVQ    e+40(FP), R8
	MOVBLZX wide+48(FP), R9

	VMOVDQU64    1160(R8), Z2 // classes of the bytes 0 to 0x3f
	VMOVDQU64    1224(R8), Z3 // classes of the bytes 0x40 to 0x7f
	VPBROADCASTB 4(R8), Z4    // line
	VPBROADCASTB bytes<>+6(SB), Z6
	VPBROADCASTB bytes<>+7(SB), Z7
	VPBROADCASTB bytes<>+8(SB), Z8
	MOVQ         $0xc000000000000000, AX
	KMOVQ        AX, K5
	VPXORQ       Z5, Z5, Z5
	TESTL        R9, R9
	JNE          loop
	VPTERNLOGQ   $0xff, Z5, Z5, Z5 // all ones: bytes that are not ASCII count as not plain

loop:
	CMPQ      DX, $72
	JLT       done
	CMPQ      CX, $64
	JLT       last
	VMOVDQU64 (SI), Z0

block:
	VMOVDQU64  Z0, (DI)
	VMOVDQA64  Z0, Z1
	VPERMI2B   Z3, Z2, Z1        // the class of each byte without its highest bit
	VPTERNLOGQ $0xb8, Z5, Z0, Z1 // the highest bits of Z0 | Z1 if Z5 is set, and of Z1 &^ Z0 if not
	VPMOVB2M   Z1, K1
	VPCMPEQB   Z0, Z4, K2
	KORTESTQ   K2, K2
	JNE        lines

classified:
	KMOVQ      K1, AX
	TESTQ      AX, AX
	JNE        hit
	ADDQ       $64, SI
	ADDQ       $64, DI
	SUBQ       $64, CX
	SUBQ       $64, DX
	JMP        loop

	// Some characters begin with the byte line. The next two bytes say whether they are U+2028 or
	// U+2029, unless they are after the block.
lines:
	VPCMPEQB  Z0, Z6, K3
	VPANDQ    Z0, Z7, Z1
	VPCMPEQB  Z1, Z8, K4
	KSHIFTRQ  $1, K3, K3
	KSHIFTRQ  $2, K4, K4
	KANDQ     K3, K4, K3
	KORQ      K3, K5, K3
	KANDQ     K2, K3, K2
	KORQ      K1, K2, K1
	JMP       classified

last:
	TESTQ      CX, CX
	JE         done
	MOVQ       $-1, AX
	BZHIQ      CX, AX, AX
	KMOVQ      AX, K1
	VMOVDQU8.Z (SI), K1, Z0
	JMP        block

	// AX has a bit for each byte from SI on that is not plain, and for each byte after s. The bytes
	// before the first such byte have been copied.
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
	CMPQ      DX, $72
	JLT       done
	CMPQ      CX, $64
	JLT       few
	VMOVDQU64 (SI), Z0
	VMOVDQU64 Z0, (DI)
	JMP       hit

few:
	TESTQ      CX, CX
	JE         done
	MOVQ       $-1, BX
	BZHIQ      CX, BX, BX
	KMOVQ      BX, K1
	VMOVDQU8.Z (SI), K1, Z0
	VMOVDQU64  Z0, (DI)
	JMP        hit

	// A character that begins with the byte line: U+2028, U+2029, or, at the end of a block, another one.
high:
	TESTL   R9, R9
	JE      done
	MOVWLZX 1(SI), R11
	MOVW    R11, 1(DI)
	MOVL    R11, R12
	ANDL    $0xfeff, R12
	CMPL    R12, $0xa880
	JNE     copied
	MOVQ    $0x38323032755c, BX // \u2028
	ANDL    $0x100, R11
	SHLQ    $32, R11
	ADDQ    R11, BX
	MOVQ    BX, (DI)
	ADDQ    $3, DI
	SUBQ    $3, DX

copied:
	ADDQ $3, SI
	ADDQ $3, DI
	SUBQ $3, CX
	SUBQ $3, DX
	SHRQ $3, AX
	JNE  more
	JMP  loop

done:
	VZEROUPPER
	MOVQ s_len+32(FP), AX
	SUBQ CX, AX
	MOVQ AX, read+56(FP)
	SUBQ dst_base+0(FP), DI
	MOVQ DI, written+64(FP)
	RET

// func textAVX512(b []byte, pos int) int
//
// SI is the next block, and CX the number of bytes from there on.
TEXT ·textAVX512(SB), NOSPLIT, $0-40
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	MOVQ pos+24(FP), AX
	ADDQ AX, SI
	SUBQ AX, CX

	VPBROADCASTB bytes<>+0(SB), Z1
	VPBROADCASTB bytes<>+1(SB), Z2
	VPBROADCASTB bytes<>+2(SB), Z3

run:
	CMPQ      CX, $64
	JLT       rest
	VMOVDQU64 (SI), Z0

look:
	VPCMPUB  $2, Z1, Z0, K1
	VPCMPEQB Z0, Z2, K2
	VPCMPEQB Z0, Z3, K3
	KORQ     K1, K2, K1
	KORQ     K1, K3, K1
	KMOVQ    K1, BX
	TESTQ    BX, BX
	JNE      stop
	ADDQ     $64, SI
	ADDQ     $64, AX
	SUBQ     $64, CX
	JMP      run

rest:
	TESTQ      CX, CX
	JE         ran
	MOVQ       $-1, BX
	BZHIQ      CX, BX, BX
	KMOVQ      BX, K1
	VMOVDQU8.Z (SI), K1, Z0 // the zeros after b end the run
	JMP        look

stop:
	BSFQ BX, BX
	ADDQ BX, AX

ran:
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

// Bytes that are the same in each lane.
DATA bytes<>+0(SB)/1, $0x1f // the last control character
DATA bytes<>+1(SB)/1, $0x5c // a backslash
DATA bytes<>+2(SB)/1, $0x22 // a quotation mark
DATA bytes<>+3(SB)/1, $0x0f // the low half of a byte
DATA bytes<>+4(SB)/1, $0x60 // 0xe0 - 0x80
DATA bytes<>+5(SB)/1, $0x70 // 0xf0 - 0x80
DATA bytes<>+6(SB)/1, $0x80 // not ASCII, and the second byte of U+2028 and U+2029
DATA bytes<>+7(SB)/1, $0xfe // the bits that their third bytes share
DATA bytes<>+8(SB)/1, $0xa8 // the value of these bits
GLOBL bytes<>(SB), RODATA|NOPTR, $9

// The tables of check in vector_amd64.s, which explains them.
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
DATA ending<>+24(SB)/8, $0xffffffffffffffff
DATA ending<>+32(SB)/8, $0xffffffffffffffff
DATA ending<>+40(SB)/8, $0xffffffffffffffff
DATA ending<>+48(SB)/8, $0xffffffffffffffff
DATA ending<>+56(SB)/8, $0xbfdfefffffffffff
GLOBL ending<>(SB), RODATA|NOPTR, $64

// func validAVX512(b []byte) bool
TEXT ·validAVX512(SB), NOSPLIT, $0-25
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	LEAQ ret+24(FP), R9
	JMP  check<>(SB)

// func validStringAVX512(s string) bool
TEXT ·validStringAVX512(SB), NOSPLIT, $0-17
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	LEAQ ret+16(FP), R9
	JMP  check<>(SB)

// check writes to R9 whether the CX bytes at SI are UTF-8. Z6 is the previous block, and Z7 has the
// errors found so far.
TEXT check<>(SB), NOSPLIT, $0
	VBROADCASTI32X4 firstHigh<>(SB), Z8
	VBROADCASTI32X4 firstLow<>(SB), Z9
	VBROADCASTI32X4 secondHigh<>(SB), Z10
	VPBROADCASTB    bytes<>+3(SB), Z11
	VPBROADCASTB    bytes<>+4(SB), Z12
	VPBROADCASTB    bytes<>+5(SB), Z13
	VPBROADCASTB    bytes<>+6(SB), Z14
	VMOVDQU64       ending<>(SB), Z15
	VPXORQ          Z6, Z6, Z6
	VPXORQ          Z7, Z7, Z7

next:
	CMPQ      CX, $64
	JLT       last
	VMOVDQU64 (SI), Z0

block:
	ADDQ     $64, SI
	SUBQ     $64, CX
	VPMOVB2M Z0, K1
	KORTESTQ K1, K1
	JNE      shifted

	// An ASCII block, which has no continuation bytes.
	VPSUBUSB  Z15, Z6, Z1
	VPORQ     Z1, Z7, Z7
	VMOVDQA64 Z0, Z6
	JMP       next

shifted:
	// The bytes one, two and three positions before each byte.
	VALIGNQ  $6, Z6, Z0, Z1
	VPALIGNR $15, Z1, Z0, Z2
	VPALIGNR $14, Z1, Z0, Z3
	VPALIGNR $13, Z1, Z0, Z4

	// The errors of two consecutive bytes.
	VPSRLW  $4, Z2, Z5
	VPANDQ  Z11, Z5, Z5
	VPSHUFB Z5, Z8, Z5
	VPANDQ  Z11, Z2, Z2
	VPSHUFB Z2, Z9, Z2
	VPANDQ  Z2, Z5, Z5
	VPSRLW  $4, Z0, Z2
	VPANDQ  Z11, Z2, Z2
	VPSHUFB Z2, Z10, Z2
	VPANDQ  Z2, Z5, Z5

	// Two consecutive continuation bytes are required at third and fourth bytes, and only there.
	VPSUBUSB  Z12, Z3, Z3
	VPSUBUSB  Z13, Z4, Z4
	VPORQ     Z3, Z4, Z3
	VPANDQ    Z14, Z3, Z3
	VPXORQ    Z3, Z5, Z5
	VPORQ     Z5, Z7, Z7
	VMOVDQA64 Z0, Z6
	JMP       next

last:
	// The zeros after the last byte are ASCII, so they are an error after an incomplete character.
	TESTQ      CX, CX
	JLE        end
	MOVQ       $-1, AX
	BZHIQ      CX, AX, AX
	KMOVQ      AX, K1
	VMOVDQU8.Z (SI), K1, Z0
	JMP        block

end:
	VPSUBUSB Z15, Z6, Z1
	VPORQ    Z1, Z7, Z7
	VPTESTMB Z7, Z7, K1
	KORTESTQ K1, K1
	SETEQ    (R9)
	VZEROUPPER
	RET

// func copyShortAVX512(dst []byte, s string, e *Escapes) int
TEXT ·copyShortAVX512(SB), NOSPLIT, $0-56
	MOVQ       dst_base+0(FP), DI
	MOVQ       s_base+24(FP), SI
	MOVQ       s_len+32(FP), CX
	MOVQ       e+40(FP), R8
	MOVQ       $-1, AX
	BZHIQ      CX, AX, AX
	KMOVQ      AX, K1
	VMOVDQU8.Z (SI), K1, Z0
	VMOVDQU8   Z0, K1, (DI)
	VMOVDQU64  1160(R8), Z2 // classes of the bytes 0 to 0x3f
	VMOVDQU64  1224(R8), Z3 // classes of the bytes 0x40 to 0x7f
	VMOVDQA64  Z0, Z1
	VPERMI2B   Z3, Z2, Z1   // the class of each byte without its highest bit
	VPORQ      Z0, Z1, Z1   // bytes that are not ASCII count as not plain
	VPMOVB2M   Z1, K2
	KANDQ      K1, K2, K2
	KMOVQ      K2, AX
	TZCNTQ     AX, AX       // 64 if all bytes are plain
	CMPQ       AX, CX
	CMOVQGT    CX, AX
	MOVQ       AX, ret+48(FP)
	VZEROUPPER
	RET
