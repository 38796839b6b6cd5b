package compress

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// maxWindow is the largest window of a zstd frame in HTTP, in bytes (RFC 9659, section 3).
const maxWindow = 8 << 20

// A DecompressConfig configures DecompressWithConfig. The zero value is the default.
type DecompressConfig struct {
	Skipper middleware.Skipper
	// MaxDecompressedSize limits a decompressed body, in bytes; 0 means 100 MB, and a negative
	// number means no limit. For a longer body the response has status 413.
	MaxDecompressedSize int64
	// MaxWindow limits the window of a zstd frame in bytes, and therefore the memory of a decoder. 0
	// means 8 MiB, the maximum for the content coding. The minimum is 1 KiB. For a frame with a larger
	// window the response has status 400.
	MaxWindow uint64
}

// Decompress decompresses request bodies in gzip and zstd.
func Decompress() web.MiddlewareFunc { return DecompressWithConfig(DecompressConfig{}) }

// DecompressWithConfig is like Decompress, with a configuration. It panics if ToMiddleware returns
// an error.
func DecompressWithConfig(config DecompressConfig) web.MiddlewareFunc {
	m, err := config.ToMiddleware()
	if err != nil {
		panic(err)
	}
	return m
}

// ToMiddleware returns the middleware. The error reports an invalid MaxWindow.
func (config DecompressConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.MaxWindow == 0 {
		config.MaxWindow = maxWindow
	}
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), // no goroutines that outlive a decoder
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(config.MaxWindow),
	}
	if _, err := newZstdReader(config.MaxWindow, options); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return middleware.DecompressConfig{
		Skipper: config.Skipper, MaxDecompressedSize: config.MaxDecompressedSize,
		Decodings: []middleware.Decoding{
			{Name: GzipName, New: func() middleware.Decoder { return new(gzip.Reader) }},
			{Name: ZstdName, New: func() middleware.Decoder {
				r, _ := newZstdReader(config.MaxWindow, options) // the options are valid
				return r
			}},
		},
	}.ToMiddleware()
}

// A zstdReader checks the header of the first frame of a stream in Reset. So a stream that is not
// zstd, or whose first frame needs a window of more than maxWindow bytes, is refused before the
// handler runs.
type zstdReader struct {
	*zstd.Decoder
	in        *bufio.Reader
	maxWindow uint64
}

// newZstdReader returns a reader without a stream. It returns an error if an option is invalid.
func newZstdReader(maxWindow uint64, options []zstd.DOption) (*zstdReader, error) {
	d, err := zstd.NewReader(nil, options...)
	if err != nil {
		return nil, err
	}
	return &zstdReader{d, bufio.NewReaderSize(nil, 4<<10), maxWindow}, nil
}

var errWindow = errors.New("compress: the window of a zstd frame exceeds the limit")

func (z *zstdReader) Reset(r io.Reader) error {
	z.in.Reset(r)
	start, err := z.in.Peek(zstd.HeaderMaxSize)
	if len(start) == 0 && err != nil {
		return err
	}
	var h zstd.Header
	if err := h.Decode(start); err != nil {
		return err
	}
	if h.WindowSize > z.maxWindow || h.SingleSegment && h.FrameContentSize > z.maxWindow {
		return errWindow
	}
	return z.Decoder.Reset(z.in)
}
