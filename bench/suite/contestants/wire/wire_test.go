package wire

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer"
	"github.com/hone-go/hone/wire"
)

// TestFewestBytes encodes a batch of pulse's readings. JSON and msgpack need more bytes than wire.
// gob needs slightly fewer bytes for a large batch, because it omits the trailing zero bytes of a
// float.
func TestFewestBytes(t *testing.T) {
	v := batch()
	p, m := v.Pointers(), v.Proto()
	data, err := wire.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	mus, _ := wirepeer.MUS(wirepeer.BatchMUS{})
	benc, _ := wirepeer.Benc[wirepeer.Batch]()
	measured := map[string]func() ([]byte, error){
		"encoding/gob": func() ([]byte, error) { return gobAppend(nil, p) },
		"vtprotobuf":   m.MarshalVT,
		"mus":          func() ([]byte, error) { return mus(nil, &v) },
		"benc":         func() ([]byte, error) { return benc(nil, &v) },
	}
	larger := map[string]func() ([]byte, error){
		"encoding/json":       func() ([]byte, error) { return jsonAppend(nil, p) },
		"vmihailenco/msgpack": func() ([]byte, error) { return vmihailencoAppend(nil, p) },
		"msgp":                func() ([]byte, error) { return appendMsgp(nil, p) },
	}
	maps.Copy(measured, larger)
	for name, encode := range measured {
		other, err := encode()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.2f times wire's %d bytes", name, float64(len(other))/float64(len(data)), len(data))
		if larger[name] != nil && len(other) <= len(data) {
			t.Errorf("%s takes %d bytes, wire %d", name, len(other), len(data))
		}
	}
}

// TestGenerated checks that the generated code of the contestants is up to date. The engine ignores code that is not.
func TestGenerated(t *testing.T) {
	hone := filepath.Join(t.TempDir(), "hone.exe")
	build := exec.Command("go", "build", "-o", hone, ".")
	build.Dir = filepath.Join("..", "..", "..", "..", "cmd", "hone")
	build.Env = append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(hone, "gen", "-go", "-check").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
