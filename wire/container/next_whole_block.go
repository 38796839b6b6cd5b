package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/hone-go/hone/wire/internal/measure"
)

// A scanner finds the whole blocks of a container. After damage it looks for the next marker.
//
// A block stays in the window until it is whole, so that a timeout of the reader loses nothing, and
// a marker within a damaged block is found.
type scanner struct {
	window     measure.Window
	header     Header
	limit      int // maximum length of the records of a block, in bytes
	headerSize int // length of one copy of the header, in bytes

	used   int    // number of bytes at the start of the window that belong to the last block
	number uint64 // number of the next block
	first  uint64 // number of the next record

	gap      bool  // damaged bytes precede the window
	from     int64 // position of the first damaged byte
	cause    error // cause of the first damage
	lastHead block // the last damaged block in the gap that has a whole head; valid if hasHead is set
	hasHead  bool
	blocks   int64 // number of markers of damaged blocks in the gap
	least    int64 // number of lost blocks if the gap contains no markers
	spent    int64 // number of bytes of damaged blocks whose checksums were computed

	end    int64 // position after the last whole block with records, or after the header
	closed bool  // the closing block was read
	over   bool  // the stream has ended
}

// next returns the next whole block, and the bytes of its records as they are stored. The bytes
// are valid until the next call. If something was lost before the block, the result lost describes
// the loss. The error is io.EOF at the end, and the result lost may then describe a loss at the
// end. Other errors are errors of the reader.
func (s *scanner) next() (b block, stored []byte, lost *LossError, err error) {
	s.window.Take(s.used)
	s.used = 0
	for !s.over {
		b, err := s.current()
		switch {
		case err == nil:
			if lost, deliver := s.place(&b); deliver {
				at := s.window.Data()
				s.used = b.total()
				return b, at[blockHead : blockHead+int(b.length)], lost, nil
			} else if lost != nil {
				return block{}, nil, lost, nil
			}
		case err == errPart:
			if err := s.window.More(); err == io.EOF {
				if len(s.window.Data()) == 0 {
					s.over = true
					return block{}, nil, s.lastGap(), io.EOF
				}
				s.damage(io.ErrUnexpectedEOF)
			} else if err != nil {
				s.over = !errors.Is(err, os.ErrDeadlineExceeded)
				return block{}, nil, nil, err
			}
		default:
			s.damage(err)
		}
	}
	return block{}, nil, s.lastGap(), io.EOF
}

// current parses and checks the block at the start of the window. The error is errPart if the
// window does not contain the whole block.
func (s *scanner) current() (b block, err error) {
	data := s.window.Data()
	have := min(len(data), markerSize)
	if !bytes.Equal(data[:have], s.header.marker[:have]) {
		return b, ErrChecksum
	}
	if len(data) < blockHead {
		return b, errPart
	}
	if !b.parse(data) {
		return b, ErrChecksum
	}
	if int64(b.size) > int64(s.limit)+maxPrefix {
		return b, ErrLimit
	}
	if len(data) < b.total() {
		return b, errPart
	}
	if s.affordable(&b) {
		if end := b.total() - blockTail; binary.LittleEndian.Uint32(data[end:]) == sum(data, int(b.length)) {
			return b, nil
		}
		s.spent += int64(b.length)
	}
	return b, ErrChecksum
}

// affordable reports whether the checksum of b may be computed. In hostile input many block heads
// may claim that the same bytes are their records. So the scanner checks at most four times the
// length of the stream in blocks with a wrong checksum.
func (s *scanner) affordable(b *block) bool {
	return s.spent+int64(b.length) <= 4*(s.window.Offset+int64(len(s.window.Data())))
}

// maxPrefix is the maximum length of a record's length prefix, in bytes. A block may exceed the
// limit by this length.
const maxPrefix = 10

// begin begins a gap, a run of damaged bytes, at the start of the window. least is the number of
// blocks that are lost if the gap contains no markers and reaches the end of the stream: 1 where a
// block was expected.
func (s *scanner) begin(cause error, least int64) {
	s.gap, s.from, s.cause, s.least, s.blocks, s.hasHead = true, s.window.Offset, cause, least, 0, false
}

// damage records that no whole block begins at the start of the window, and moves to the next byte
// that may be the start of a marker.
func (s *scanner) damage(cause error) {
	data := s.window.Data()
	if !s.gap {
		least := int64(1)
		if s.closed {
			least = 0
		}
		s.begin(cause, least)
	}
	if bytes.HasPrefix(data, s.header.marker[:]) {
		s.blocks++
		var b block
		if len(data) >= blockHead && b.parse(data) && b.number >= s.number && b.first >= s.first {
			s.lastHead, s.hasHead = b, true
		}
	}
	s.window.Take(skipTo(data, s.header.marker[:]))
}
