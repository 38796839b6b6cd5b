// Package transfer writes readings to a file and reads them back: in the binary format, as
// lines of JSON, and as CSV.
//
// The binary form is the fingerprint of the schema and then records of package wire, each
// after its length. In CSV an empty cell is None, and lists are JSON within a cell. A name
// that a spreadsheet would take for a formula has an apostrophe before it.
package transfer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A Format is a format of files with readings.
type Format string

// These are the formats.
const (
	Wire  Format = "wire"
	Lines Format = "jsonl"
	CSV   Format = "csv"
)

// maxElement is the maximum size of a reading in a file, in bytes. A large reading has a
// few hundred thousand bytes.
const maxElement = 4 << 20

// UnmarshalText parses the name of a format, for a flag. It returns an error for an unknown name.
func (f *Format) UnmarshalText(text []byte) error {
	switch *f = Format(text); *f {
	case Wire, Lines, CSV:
		return nil
	}
	return errors.New("must be wire, jsonl or csv")
}

// MarshalText returns the name.
func (f Format) MarshalText() ([]byte, error) { return []byte(f), nil }

// NewWriter returns a function that writes one value to w per call. Flush w after the last value.
func NewWriter[T any](w *bufio.Writer, format Format, columns []telemetry.Column[T]) (func(*T) error, error) {
	switch format {
	case Wire:
		s, err := wire.SchemaOf[T]()
		if err != nil {
			return nil, err
		}
		encoder := wire.NewEncoder(w)
		return func(v *T) error { return encoder.Encode(v) }, encoder.Fingerprint(s.Fingerprint())
	case Lines:
		var buf []byte
		return func(v *T) (err error) {
			if buf, err = json.Append(buf[:0], v); err == nil {
				_, err = w.Write(append(buf, '\n'))
			}
			return err
		}, nil
	}
	table := csv.NewWriter(w)
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = c.Name
	}
	write := func() error {
		if err := table.Write(row); err != nil {
			return err
		}
		table.Flush() // into w
		return table.Error()
	}
	return func(v *T) error {
		for i, c := range columns {
			text, err := cell(c.Field(v))
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			row[i] = text
		}
		return write()
	}, write()
}

// A BadError reports an invalid reading in a file. The readings after it can still be read.
type BadError struct {
	Place string // such as "line 7"
	Err   error
}

func (e *BadError) Error() string { return e.Place + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *BadError) Unwrap() error { return e.Err }

// A Reader reads one reading per call. It returns the reading's place in the file, for messages.
// After the last reading the error is io.EOF.
type Reader func(r *telemetry.Reading) (place string, err error)

// NewReader returns a Reader of a file. It reads the beginning of the file, and returns an error if
// the file has another format.
func NewReader(r io.Reader, format Format) (Reader, error) {
	switch format {
	case Wire:
		return readWire(r)
	case Lines:
		return readLines(r), nil
	}
	return readCSV(r)
}

func readWire(source io.Reader) (Reader, error) {
	r := bufio.NewReader(source)
	older := telemetry.OlderReading.Fingerprint()
	if start, _ := r.Peek(len(older)); bytes.Equal(start, older[:]) {
		_, _ = r.Discard(len(older))
		return readLayout1(r), nil
	}
	s, err := wire.SchemaOf[telemetry.Reading]()
	if err != nil {
		return nil, err
	}
	decoder := wire.NewDecoder(r, maxElement)
	if err := decoder.Fingerprint(s.Fingerprint()); err != nil {
		return nil, fmt.Errorf("the file does not contain readings in the format wire, or is from another version of pulse: %w", err)
	}
	n := 0 // the number of records read
	return func(v *telemetry.Reading) (string, error) {
		n++
		place := fmt.Sprintf("record %d", n)
		*v = telemetry.Reading{}
		err := decoder.Decode(v)
		switch {
		case err == nil || err == io.EOF:
			return place, err
		case errors.As(err, new(*wire.RecordError)): // it was skipped
			return place, &BadError{place, err}
		}
		return place, fmt.Errorf("%s: %w", place, err)
	}, nil
}

// readLayout1 reads the records of a file of an older version of pulse.
func readLayout1(r *bufio.Reader) Reader {
	n := 0
	return func(v *telemetry.Reading) (string, error) {
		n++
		place := fmt.Sprintf("record %d", n)
		length, err := binary.ReadUvarint(r)
		switch {
		case err == io.EOF:
			return place, err
		case err == nil && length > maxElement:
			err = fmt.Errorf("a record of %d bytes is too long", length)
		}
		if err != nil {
			return place, fmt.Errorf("%s: %w", place, err)
		}
		record := make([]byte, length)
		if _, err := io.ReadFull(r, record); err != nil {
			return place, fmt.Errorf("%s: %w", place, io.ErrUnexpectedEOF)
		}
		*v = telemetry.Reading{}
		if record, err = telemetry.OlderReading.Convert(record); err == nil {
			err = wire.Unmarshal(record, v)
		}
		if err != nil {
			return place, &BadError{place, err}
		}
		return place, nil
	}
}

func readLines(r io.Reader) Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxElement)
	n := 0
	return func(v *telemetry.Reading) (string, error) {
		for lines.Scan() {
			n++
			if len(lines.Bytes()) == 0 {
				continue
			}
			place := fmt.Sprintf("line %d", n)
			*v = telemetry.Reading{}
			if err := json.Unmarshal(lines.Bytes(), v); err != nil {
				return place, &BadError{place, err}
			}
			return place, nil
		}
		if err := lines.Err(); err != nil {
			return "", fmt.Errorf("line %d: %w", n+1, err)
		}
		return "", io.EOF
	}
}

// A portion is a reader that fails after the maximum size of one row.
type portion struct {
	r    io.Reader
	left int
}

func (p *portion) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errors.New("the row is too long, or lacks a quotation mark")
	}
	n, err := p.r.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}

func readCSV(r io.Reader) (Reader, error) {
	source := &portion{r, maxElement}
	table := csv.NewReader(source)
	table.ReuseRecord = true
	names, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line has no column names: %w", err)
	}
	fields := make([]telemetry.Column[telemetry.Reading], len(names))
	for i, name := range names {
		n := slices.IndexFunc(telemetry.Columns, func(c telemetry.Column[telemetry.Reading]) bool { return c.Name == name })
		if n < 0 {
			return nil, fmt.Errorf("%q is not a column of a reading", name)
		}
		fields[i] = telemetry.Columns[n]
	}
	last := 1
	return func(v *telemetry.Reading) (string, error) {
		source.left = maxElement
		row, err := table.Read()
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			place := fmt.Sprintf("line %d", bad.Line)
			return place, &BadError{place, bad.Err}
		}
		if err == io.EOF {
			return "", err
		}
		if err != nil {
			return "", fmt.Errorf("the row after line %d: %w", last, err)
		}
		last, _ = table.FieldPos(0)
		place := fmt.Sprintf("line %d", last)
		*v = telemetry.Reading{}
		for i, c := range fields {
			if err := setCell(c.Field(v), row[i]); err != nil {
				return place, &BadError{place, fmt.Errorf("%s: %w", c.Name, err)}
			}
		}
		return place, nil
	}, nil
}
