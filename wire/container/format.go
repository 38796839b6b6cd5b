package container

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/hone-go/hone/wire/schema"
)

// Magic is the text at the start of every container.
const Magic = magic

// magic is the start of a header. It resembles the signature of PNG: it contains a byte that is not
// ASCII, both kinds of line endings, and the byte that ends a text file on DOS. A transfer that
// changes such bytes also damages magic.
const magic = "\x89HWC\r\n\x1a\n"

// version is the version of the format.
const version = 1

// flagSchema in the flags of a header means that the header contains the schema.
const flagSchema = 1

// Sizes in bytes.
const (
	markerSize     = 16
	headerFixed    = 40      // length of a header up to the name of the compression
	maxSchema      = 1 << 20 // a longer schema is left out of the header
	maxName        = 255     // longest name of a compression
	maxHeader      = headerFixed + maxName + maxSchema + 4
	separatorSize  = 8 // zero bytes between the copies of the header, so that a short run of changed bytes damages only one copy
	blockHead      = 48
	blockTail      = 4
	defaultBlock   = 64 << 10
	defaultMaximum = 64 << 20
)

// castagnoli is the polynomial of CRC-32C (RFC 3720, section 12.1). Processors have an instruction
// for it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// A Header is the header of a container.
type Header struct {
	// Fingerprint identifies the schema of the records.
	Fingerprint schema.Fingerprint
	// Schema describes the records. It is nil if the writer left it out.
	Schema *schema.Schema
	// Compression is the name of the compression of the blocks, or "".
	Compression string

	marker [markerSize]byte
}

// append appends both copies of h to dst.
func (h *Header) append(dst []byte) ([]byte, error) {
	var text []byte
	flags := byte(0)
	if h.Schema != nil {
		var err error
		if text, err = json.Marshal(h.Schema); err != nil {
			return dst, err
		}
		flags |= flagSchema
	}
	if len(text) > maxSchema {
		return dst, fmt.Errorf("container: the schema has %d bytes, and a header at most %d; set Options.OmitSchema", len(text), maxSchema)
	}
	if len(h.Compression) > maxName {
		return dst, fmt.Errorf("container: the name of the compression has %d bytes; at most %d are allowed", len(h.Compression), maxName)
	}
	start := len(dst)
	dst = append(dst, magic...)
	dst = append(dst, version, flags)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(h.Compression)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	dst = append(dst, h.marker[:]...)
	dst = append(dst, h.Fingerprint[:]...)
	dst = append(dst, h.Compression...)
	dst = append(dst, text...)
	dst = binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
	one := dst[start:]
	return append(append(dst, make([]byte, separatorSize)...), one...), nil
}

// errPart means that data ends before a header or a block does.
var errPart = errors.New("more bytes are needed")

// parseHeader reads the copy of a header at the start of data and returns its length. The error is
// errPart if data ends within the header.
func parseHeader(data []byte) (h Header, n int, err error) {
	have := min(len(data), len(magic))
	if string(data[:have]) != magic[:have] {
		return h, 0, ErrNotContainer
	}
	if len(data) < headerFixed {
		return h, 0, errPart
	}
	name, text := int(binary.LittleEndian.Uint16(data[10:])), binary.LittleEndian.Uint32(data[12:])
	if data[8] != version {
		return h, 0, fmt.Errorf("%w of version %d; this program reads version %d", ErrNotContainer, data[8], version)
	}
	if data[9]&^flagSchema != 0 || name > maxName || text > maxSchema || data[9] == 0 && text > 0 {
		return h, 0, errHeader
	}
	n = headerFixed + name + int(text)
	if len(data) < n+4 {
		return h, 0, errPart
	}
	if binary.LittleEndian.Uint32(data[n:]) != checksum(data[:n]) {
		return h, 0, errHeader
	}
	copy(h.marker[:], data[16:])
	copy(h.Fingerprint[:], data[32:])
	h.Compression = string(data[headerFixed : headerFixed+name])
	if data[9]&flagSchema != 0 {
		if h.Schema, err = parseSchema(data[headerFixed+name : n]); err != nil {
			return h, 0, err
		}
		if got := h.Schema.Fingerprint(); got != h.Fingerprint {
			return h, 0, fmt.Errorf("container: the header has the fingerprint %v and a schema with the fingerprint %v", h.Fingerprint, got)
		}
	}
	return h, n + 4, nil
}

func parseSchema(text []byte) (*schema.Schema, error) {
	s := new(schema.Schema)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("container: the schema in the header: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("container: the schema in the header is followed by more text")
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("container: the schema in the header: %w", err)
	}
	return s, nil
}

// A block is the parsed head of a block of records. A block with the count 0 is the closing block,
// which [Writer.Close] writes at the end of a container.
type block struct {
	number uint64 // number of the block, from 0
	first  uint64 // number of its first record, from 0
	count  uint32 // number of records
	size   uint32 // length of the records in bytes
	length uint32 // length of the records as they are stored; less than size if they are compressed
}

// total returns the length of b in bytes.
func (b *block) total() int { return blockHead + int(b.length) + blockTail }

// put writes the head of b to dst.
func (b *block) put(dst []byte, marker *[markerSize]byte) {
	copy(dst, marker[:])
	binary.LittleEndian.PutUint64(dst[16:], b.number)
	binary.LittleEndian.PutUint64(dst[24:], b.first)
	binary.LittleEndian.PutUint32(dst[32:], b.count)
	binary.LittleEndian.PutUint32(dst[36:], b.size)
	binary.LittleEndian.PutUint32(dst[40:], b.length)
	binary.LittleEndian.PutUint32(dst[44:], checksum(dst[:44]))
}

// parse reads the head of a block at the start of data, which begins with the marker. ok is false
// if the head is damaged.
func (b *block) parse(data []byte) (ok bool) {
	if binary.LittleEndian.Uint32(data[44:]) != checksum(data[:44]) {
		return false
	}
	b.number = binary.LittleEndian.Uint64(data[16:])
	b.first = binary.LittleEndian.Uint64(data[24:])
	b.count = binary.LittleEndian.Uint32(data[32:])
	b.size = binary.LittleEndian.Uint32(data[36:])
	b.length = binary.LittleEndian.Uint32(data[40:])
	// No writer reaches sequence numbers of this size. The sum of two smaller numbers does not
	// overflow.
	const most = math.MaxInt64 / 2
	return b.number < most && b.first < most && b.length <= b.size && (b.count > 0) == (b.size > 0)
}

// sum returns the checksum at the end of a block. It covers the head without the head's checksum,
// and the records as they are stored. The CRC of data followed by its own CRC is a constant. If the
// checksum of the head were covered too, every head would thus have the same effect, and the
// records of one block would match the head of another.
func sum(data []byte, length int) uint32 {
	return crc32.Update(checksum(data[:44]), castagnoli, data[blockHead:blockHead+length])
}
