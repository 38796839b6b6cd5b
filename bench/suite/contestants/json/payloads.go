package json

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/klauspost/compress/zstd"
)

// built returns a payload. The text of the payload is the JSON that encoding/json writes for the result
// of make. The value of the payload is the result of decoding this text with encoding/json.
func built[T any](make func() T) func() (v T, text []byte, err error) {
	return func() (v T, text []byte, err error) {
		if text, err = stdjson.Marshal(make()); err == nil {
			err = stdjson.Unmarshal(text, &v)
		}
		return v, text, err
	}
}

// document returns a payload of a real document in Go's source tree, decoded by encoding/json into a T.
func document[T any](name string) func() (v T, text []byte, err error) {
	return func() (v T, text []byte, err error) {
		if text, err = goDocument(name); err == nil {
			err = stdjson.Unmarshal(text, &v)
		}
		return v, text, err
	}
}

func goDocument(name string) ([]byte, error) {
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(root, "src/encoding/json/internal/jsontest")
	packed, err := os.ReadFile(filepath.Join(folder, "_embed", name+".json.zst")) // the documents are compressed since Go 1.27
	if errors.Is(err, fs.ErrNotExist) {
		packed, err = os.ReadFile(filepath.Join(folder, "testdata", name+".json.zst"))
	}
	if err != nil {
		return nil, fmt.Errorf("this Go release comes without the document: %w", err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("cannot find the Go source tree: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
})

func hundredAPIs() jsonpeer.APIs {
	all := make(jsonpeer.APIs, 100)
	for i := range all {
		all[i] = jsonpeer.Octo()
		all[i].ID += int64(i)
	}
	return all
}

// places returns GeoJSON in which most properties are null.
func places() jsonpeer.PlaceDocument {
	doc := jsonpeer.PlaceDocument{Type: "FeatureCollection"}
	for i := range 300 {
		f := jsonpeer.PlaceFeature{Type: "Feature", ID: int64(1_000_000 + 37*i)}
		f.Properties.Name = fmt.Sprintf("Place number %d", i)
		f.Geometry.Type = "Point"
		f.Geometry.Coordinates = [2]float64{-180 + float64(i)*1.1831, -60 + float64(i)*0.391}
		if i%5 == 0 {
			f.Properties.Population = new(int64)
			*f.Properties.Population = int64(i) * 1234
		}
		if i%7 == 0 {
			f.Properties.Tags = []string{"amenity", "tourism"}
			f.Properties.Website = new(string)
			*f.Properties.Website = fmt.Sprintf("https://example.org/places/%d", i)
		}
		doc.Features = append(doc.Features, f)
	}
	return doc
}

func pulseBatch() jsonpeer.PulseBatch {
	batch := jsonpeer.PulseBatch{Host: "host-17.example.org"}
	for i := range 60 {
		r := jsonpeer.PulseReading{
			Time:   time.Unix(1_700_000_000+int64(i), 123_000_000).UTC(),
			CPU:    []float32{0.125 * float32(i%8), 0.5, 0.031 * float32(i), 0.77},
			Memory: 8_123_456_789 + uint64(i)*4096,
			Load:   [3]float64{0.42 + float64(i)/100, 0.37, 0.31},
			Disks:  map[string]float64{"/": 0.41, "/var": 0.7321 + float64(i)/1000},
		}
		if i%4 == 0 {
			r.Celsius = new(float64)
			*r.Celsius = 41.5 + float64(i)/10
		}
		batch.Readings = append(batch.Readings, r)
	}
	return batch
}
