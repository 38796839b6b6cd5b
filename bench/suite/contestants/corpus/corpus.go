// Package corpus has JSON documents that Hone's authors did not choose or tune for.
//
//   - The public documents are the test data of the module github.com/minio/simdjson-go, which collects the documents
//     that JSON parsers are usually measured with. They are read from the module cache.
//   - The small messages have the documented shapes of public APIs, and own values.
//   - The synthetic documents are drawn at random from a fixed seed.
//
// The Go types of the documents are derived from the documents: see [Generate] and [TypeOf].
package corpus

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/hone-go/hone/bench/suite/contestants/corpus/types"
	"github.com/hone-go/hone/bench/suite/results"
)

//go:generate go run ./generate

// A Document is a JSON text with its Go type.
type Document struct {
	Text   []byte
	Stream bool       // the text is JSON lines, which a Decoder reads one by one
	New    func() any // returns a pointer to a new value of the document's type, or of a line's type
}

// A Corpus is a list of documents.
type Corpus struct {
	Name  string
	Names []string // the names of the documents
	open  func(i int) (Document, error)
}

// Open returns a document.
func (c Corpus) Open(i int) (Document, error) {
	d, err := c.open(i)
	if err != nil {
		return Document{}, fmt.Errorf("%s: %w", c.Names[i], err)
	}
	return d, nil
}

// Public is the corpus of the public documents.
var Public = Corpus{"public documents", publicNames, func(i int) (Document, error) {
	name := publicNames[i]
	text, err := publicText(name)
	return Document{text, name == Lines, types.Public[name]}, err
}}

// Messages is the corpus of the small messages.
var Messages = Corpus{"small messages", messageNames(), func(i int) (Document, error) {
	m := messages()[i]
	return Document{Text: m.Text, New: types.Messages[m.Name]}, nil
}}

// Synthetic is the corpus of the synthetic documents.
var Synthetic = Corpus{"synthetic documents", syntheticNames(), func(i int) (Document, error) {
	text := Draw(i)
	t, err := TypeOf(text)
	if err != nil {
		return Document{}, err
	}
	return Document{Text: text, New: func() any { return reflect.New(t).Interface() }}, nil
}}

// All has the corpora in the order of the report.
var All = []Corpus{Public, Messages, Synthetic}

// Lines is the public document that is JSON lines.
const Lines = "parking-citations"

// module is the module with the public documents.
const module = "github.com/minio/simdjson-go"

// publicNames are the files in the module's folder testdata, in alphabetical order.
var publicNames = []string{
	"apache_builds", "canada", "citm_catalog", "github_events", "gsoc-2018", "instruments", "marine_ik", "mesh", "mesh.pretty", "numbers",
	Lines, "payload-large", "payload-medium", "payload-small", "random", "twitter", "twitterescaped", "update-center",
}

// PublicSources returns the public documents for [Generate].
func PublicSources() ([]Source, error) {
	var all []Source
	for _, name := range publicNames {
		text, err := publicText(name)
		if err != nil {
			return nil, err
		}
		all = append(all, Source{name, text})
	}
	return all, nil
}

func publicText(name string) ([]byte, error) {
	folder, err := testdata()
	if err != nil {
		return nil, err
	}
	packed, err := os.ReadFile(filepath.Join(folder, name+".json.zst"))
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

// testdata returns the folder of the public documents in the module cache. The go command downloads the module if it is
// not there.
var testdata = sync.OnceValues(func() (string, error) {
	root, err := results.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = filepath.Join(root, "bench", "suite")
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var found struct{ Dir, Error string }
	if decoding := json.Unmarshal(out, &found); decoding != nil && err == nil {
		err = decoding
	}
	if found.Error != "" {
		err = errors.New(found.Error)
	}
	if err != nil {
		return "", fmt.Errorf("module %s: %w %s", module, err, strings.TrimSpace(said.String()))
	}
	return filepath.Join(found.Dir, "testdata"), nil
})

//go:embed messages.txt
var messageLines []byte

// messages returns the small messages.
var messages = sync.OnceValue(func() []Source {
	var all []Source
	for line := range bytes.Lines(messageLines) {
		name, text, _ := bytes.Cut(bytes.TrimSpace(line), []byte("\t"))
		all = append(all, Source{string(name), text})
	}
	return all
})

// MessageSources returns the small messages for [Generate].
func MessageSources() []Source { return messages() }

func messageNames() (names []string) {
	for _, m := range messages() {
		names = append(names, m.Name)
	}
	return names
}
