package wire

import "encoding/binary"

// Integers wider than a byte are LEB128 varints: seven bits a byte, least
// significant first, the high bit set on all but the last. Signed ones are
// zigzag coded first, so that small magnitudes are short whatever their sign.
// Both are those of Protocol Buffers:
// https://protobuf.dev/programming-guides/encoding/#varints

func appendUvarint(dst []byte, v uint64) []byte {
	if v < 0x80 {
		return append(dst, byte(v))
	}
	return binary.AppendUvarint(dst, v)
}

func appendVarint(dst []byte, v int64) []byte { return appendUvarint(dst, zigzag(v)) }

func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// uvarint reads the number at in[pos:] and returns it with the position after
// it. The cause is nil, or says what is wrong with the number.
func uvarint(in []byte, pos int) (v uint64, next int, cause error) {
	if pos < len(in) && in[pos] < 0x80 {
		return uint64(in[pos]), pos + 1, nil
	}
	return uvarintLong(in, pos)
}

func uvarintLong(in []byte, pos int) (v uint64, next int, cause error) {
	for shift := uint(0); ; shift += 7 {
		if pos >= len(in) {
			return 0, pos, errTruncated
		}
		b := in[pos]
		if shift == 63 && b > 1 {
			return 0, pos, ErrOverflow
		}
		pos++
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, pos - 1, ErrNonMinimal
			}
			return v | uint64(b)<<shift, pos, nil
		}
		v |= uint64(b&0x7f) << shift
	}
}
