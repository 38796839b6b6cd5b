package container

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/hone-go/hone/wire"
)

// BenchmarkAgainstPlain writes and reads records as a container and as a plain stream, alternately,
// and reports the median of the ratios of their times.
//
//	go test -run '^$' -bench AgainstPlain -benchtime 200x ./wire/container
func BenchmarkAgainstPlain(b *testing.B) {
	records := make([]reading, 50_000)
	for i := range records {
		records[i] = reading{Host: "db-1.example.org", At: uint32(i), Value: []float64{1, 2, float64(i)}[:i%4]}
	}
	codec := wire.Must(wire.For[reading]())
	plain := func(w io.Writer) {
		e := wire.NewEncoder(w)
		for i := range records {
			if err := wire.EncodeWith(e, codec, &records[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	contained := func(w io.Writer) {
		out, err := NewWriter(w, codec, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range records {
			if err := out.Write(&records[i]); err != nil {
				b.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			b.Fatal(err)
		}
	}
	var stream, blocks bytes.Buffer
	plain(&stream)
	contained(&blocks)
	var v reading
	readPlain := func() {
		d := wire.NewDecoder(bytes.NewReader(stream.Bytes()), 0)
		for range records {
			if err := wire.DecodeWith(d, codec, &v); err != nil {
				b.Fatal(err)
			}
		}
	}
	readContained := func() {
		r, err := NewReader(bytes.NewReader(blocks.Bytes()), codec, ReaderOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for range records {
			if err := r.Read(&v); err != nil {
				b.Fatal(err)
			}
		}
	}
	for name, pair := range map[string][2]func(){
		"write": {func() { stream.Reset(); plain(&stream) }, func() { blocks.Reset(); contained(&blocks) }},
		"read":  {readPlain, readContained},
	} {
		b.Run(name, func(b *testing.B) {
			var ratios []float64
			for range b.N {
				var took [2]time.Duration
				for i, run := range pair {
					start := time.Now()
					run()
					took[i] = time.Since(start)
				}
				ratios = append(ratios, float64(took[1])/float64(took[0]))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "container/plain")
		})
	}
}
