package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire/container"
	"github.com/hone-go/hone/wire/schema"
)

// A salvager prints records as lines, and losses on the standard error.
type salvager struct {
	out    *bufio.Writer
	stderr io.Writer
	line   []byte

	read, records, blocks, bytes int64 // the records that were read; the records, blocks and bytes that were lost
	unknown                      bool  // some lost records could not be counted
	lost                         bool
}

func (c *call) salvager() *salvager {
	return &salvager{out: bufio.NewWriter(c.stdout), stderr: c.stderr}
}

// record prints a record of size bytes at the offset at.
func (s *salvager) record(by *schema.Schema, data []byte, at, size int64) {
	line, err := by.AppendJSON(s.line[:0], data)
	if err != nil {
		var fault *schema.DecodeError
		if errors.As(err, &fault) {
			fault.Offset += int(at + size - int64(len(data)))
		}
		s.lose(at, size, 0, 1, err)
		return
	}
	s.line = append(line, '\n')
	s.read++
	_, _ = s.out.Write(s.line) // the buffered writer keeps the error, and finish returns it
}

// lose prints a loss. records is -1 if the number of lost records is unknown.
func (s *salvager) lose(at, bytes, blocks, records int64, cause error) {
	s.lost = true
	s.bytes += bytes
	s.blocks += blocks
	s.records += max(records, 0)
	s.unknown = s.unknown || records < 0
	fmt.Fprintf(s.stderr, "lost %s at byte %d%s: %v\n", count(bytes, "byte"), at, extent(blocks, records), cause)
}

// extent describes lost blocks and records.
func extent(blocks, records int64) (text string) {
	if blocks > 0 {
		text = ", " + count(blocks, "block")
	}
	switch {
	case records < 0:
		text += ", an unknown number of records"
	case records > 0:
		text += ", " + count(records, "record")
	}
	return text
}

// count returns a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// finish prints the sums. The error is errNo if anything was lost.
func (s *salvager) finish() error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if !s.lost {
		fmt.Fprintf(s.stderr, "read %s; nothing was lost\n", count(s.read, "record"))
		return nil
	}
	least := ""
	if s.unknown {
		least = "at least "
	}
	blocks := ""
	if s.blocks > 0 {
		blocks = count(s.blocks, "block") + " and "
	}
	fmt.Fprintf(s.stderr, "read %s; lost %s%s, in %s%s\n", count(s.read, "record"), least, count(s.records, "record"), blocks, count(s.bytes, "byte"))
	return errNo
}

// salvageStream prints the readable records of a stream.
func (c *call) salvageStream(by *schema.Schema, data []byte, from int) error {
	s := c.salvager()
	for at := from; at < len(data); {
		n, used := binary.Uvarint(data[at:])
		rest := len(data) - at
		switch {
		case used < 0 || used > 1 && data[at+used-1] == 0:
			s.lose(int64(at), int64(rest), 0, -1, errors.New("malformed length, so the start of the next record is unknown"))
			return s.finish()
		case used == 0 || n > uint64(rest-used):
			s.lose(int64(at), int64(rest), 0, 1, errors.New("the stream ends within the record, or its length is damaged"))
			return s.finish()
		}
		end := at + used + int(n)
		s.record(by, data[at+used:end], int64(at), int64(end-at))
		at = end
	}
	return s.finish()
}

// decodeContainer prints the records of a container. by is the schema of the caller, or nil.
func (c *call) decodeContainer(by *schema.Schema, name string, data []byte, salvage bool) error {
	r, err := container.NewRecords(bytes.NewReader(data), container.ReaderOptions{
		Limit: maxInput, Compressions: []container.Compression{container.Gzip(gzip.BestSpeed)},
	})
	if errors.Is(err, container.ErrNotContainer) && by == nil {
		return fmt.Errorf("%s: %w; use -schema to name the file with the schema of its bytes: %w", name, err, errUsage)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	h := r.Header()
	switch {
	case h.Schema != nil:
		by = h.Schema // use the writer's schema, which has all fields
	case by == nil:
		return fmt.Errorf("%s has no schema in its header; use -schema to name the file with the schema of its records: %w", name, errUsage)
	case by.Fingerprint() != h.Fingerprint:
		return fmt.Errorf("%s has records of the schema %v; the fingerprint of -schema is %v", name, h.Fingerprint, by.Fingerprint())
	}
	s := c.salvager()
	var lines []byte // the output without -salvage, which is printed once the whole input has been read
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		var lost *container.LossError
		switch {
		case errors.As(err, &lost) && salvage:
			s.lose(lost.Offset, lost.Bytes, lost.Blocks, lost.Records, lost.Err)
		case errors.As(err, &lost):
			return fmt.Errorf("%s: lost %s at byte %d%s: %w; hone decode -salvage prints the other records", name, count(lost.Bytes, "byte"), lost.Offset, extent(lost.Blocks, lost.Records), lost.Err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case salvage:
			s.record(by, record, r.Offset(), int64(len(record)))
		default:
			if lines, err = by.AppendJSON(lines, record); err != nil {
				return fmt.Errorf("%s: record %d, at byte %d: %w", name, r.Totals().Records-1, r.Offset(), err)
			}
			lines = append(lines, '\n')
		}
	}
	if !r.Totals().Closed {
		fmt.Fprintf(c.stderr, "hone: %s was not closed: its writer is still running or has failed, so records may be missing at the end\n", name)
	}
	if salvage {
		return s.finish()
	}
	_, err = c.stdout.Write(lines)
	return err
}
