// Command convert reads a file of gob or msgpack values, and writes them into a new file as a container of package
// wire. Then it reads both files again and compares each pair of values. To use it, replace Order by your type.
//
//	convert gob orders.gob orders.hwc
package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"reflect"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

// An Order is an evolving struct, so that later versions may add fields at its end. gob and msgpack ignore the field.
type Order struct {
	_      wire.Evolving
	ID     int64
	Placed time.Time
	Lines  []string
	Labels map[string]string
}

// open returns a function that decodes the next value of an old file. It returns io.EOF after the last one.
func open(format string, r io.Reader) (next func(any) error, err error) {
	r = bufio.NewReader(r)
	if format == "gob" {
		return gob.NewDecoder(r).Decode, nil
	} else if format == "msgpack" {
		return msgpack.NewDecoder(r).Decode, nil
	}
	return nil, fmt.Errorf("unknown format %q: gob or msgpack", format)
}

// convert writes the values of the old file, and returns their number.
func convert(next func(any) error, w io.Writer) (n int, err error) {
	out, err := container.NewWriter[Order](w, nil, container.Options{})
	if err != nil {
		return 0, err
	}
	for ; ; n++ {
		var v Order
		err := next(&v)
		if err == io.EOF {
			return n, out.Close()
		} else if err == nil {
			err = out.Write(&v)
		}
		if err != nil {
			return n, fmt.Errorf("value %d of the old file: %w", n, err)
		}
	}
}

// compare reports the first value in which the files differ. An empty slice or map that is not nil differs, since wire
// decodes it as nil.
func compare(next func(any) error, r io.Reader) error {
	records, err := container.NewReader[Order](r, nil, container.ReaderOptions{})
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		var old, new Order
		oldErr, newErr := next(&old), records.Read(&new)
		switch {
		case oldErr == io.EOF && newErr == io.EOF:
			return nil
		case oldErr == io.EOF || newErr == io.EOF:
			return fmt.Errorf("value %d is in one file only", n)
		case oldErr != nil || newErr != nil:
			return fmt.Errorf("value %d: %w", n, errors.Join(oldErr, newErr))
		case !reflect.DeepEqual(old, new):
			return fmt.Errorf("value %d differs: %+v, now %+v", n, old, new)
		}
	}
}

func run(format, from, to string) (n int, err error) {
	old, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer old.Close()
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	next, err := open(format, old)
	if err == nil {
		n, err = convert(next, f)
	}
	if err != nil {
		return n, err
	}
	next, _ = open(format, io.NewSectionReader(old, 0, math.MaxInt64)) // the format is known
	return n, errors.Join(compare(next, io.NewSectionReader(f, 0, math.MaxInt64)), f.Sync())
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: convert gob|msgpack OLD NEW")
	}
	n, err := run(os.Args[1], os.Args[2], os.Args[3])
	log.Print(n, " values")
	if err != nil {
		log.Fatal(err)
	}
}
