package container

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
)

// A Compression compresses blocks. Its functions may be called by several goroutines at once.
type Compression struct {
	// Name is written to the header. A reader selects the Compression with this name.
	Name string
	// Compress appends the compressed src to dst.
	Compress func(dst, src []byte) ([]byte, error)
	// Decompress appends the decompressed src to dst. It must append at most size bytes, and may
	// stop after them. A result of another length means that the block is damaged.
	Decompress func(dst, src []byte, size int) ([]byte, error)
}

// Gzip returns the compression of package compress/gzip with the name "gzip". level is one of the
// levels of compress/gzip, such as gzip.BestSpeed. Readers accept every level.
func Gzip(level int) Compression {
	var writers, readers sync.Pool
	return Compression{
		Name: "gzip",
		Compress: func(dst, src []byte) ([]byte, error) {
			out := bytes.NewBuffer(dst)
			w, _ := writers.Get().(*gzip.Writer)
			if w == nil {
				var err error
				if w, err = gzip.NewWriterLevel(out, level); err != nil {
					return dst, err
				}
			}
			w.Reset(out)
			if _, err := w.Write(src); err != nil {
				return dst, err
			}
			if err := w.Close(); err != nil {
				return dst, err
			}
			w.Reset(nil)
			writers.Put(w)
			return out.Bytes(), nil
		},
		Decompress: func(dst, src []byte, size int) ([]byte, error) {
			r, _ := readers.Get().(*gzip.Reader)
			if r == nil {
				r = new(gzip.Reader)
			}
			if err := r.Reset(bytes.NewReader(src)); err != nil {
				return dst, err
			}
			out := bytes.NewBuffer(dst)
			// One byte more than size proves that the block has another size.
			_, err := io.Copy(out, io.LimitReader(r, int64(size)+1))
			readers.Put(r)
			return out.Bytes(), err
		},
	}
}
