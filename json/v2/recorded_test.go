package json

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/internal/rules"
)

// recorded is a file with a digest of the results of all inputs, for each type and set of options.
// Only a release of Go with encoding/json/v2 writes it, because TestStandard then compares the same
// results with encoding/json/v2. With the file, other releases are compared too.
const recorded = "testdata/recorded.txt"

// alikeOnReleases returns the message of an error without the parts that differ between releases or
// runs.
func alikeOnReleases(text string) string {
	text = strings.ReplaceAll(text, "unable to", "cannot")
	text = strings.ReplaceAll(text, "json.RawMessage", "Value") // an alias since Go 1.27
	for _, name := range []string{"stream.", "jsontext."} {
		text = strings.ReplaceAll(text, name, "")
	}
	return text
}

// TestRecorded decodes all inputs into all targets with each option, and encodes the results. The
// results must be equal to the recorded ones. Errors of version 1 are not compared, because they
// differ between releases.
func TestRecorded(t *testing.T) {
	for patch := range rules.Patches {
		if !patch.Applied() {
			t.Skip("the file is for the newest patch of Go; TestStandard compares with the linked patch")
		}
	}
	sets := []uint32{0, 1 << 31}
	for i := range flags {
		sets = append(sets, 1<<i, 1<<31|1<<i)
	}
	var lines []string
	for _, typ := range targets {
		for _, bits := range sets {
			digest := fnv.New64a()
			for _, text := range inputs {
				v := reflect.New(typ)
				err := Unmarshal([]byte(text), v.Interface(), optionsOf(bits)...)
				outcome := alikeOnReleases(describe(v.Interface()) + outcomeOf(err, bits))
				b, err := Marshal(v.Interface(), optionsOf(bits)...)
				outcome += string(b) + alikeOnReleases(outcomeOf(err, bits))
				_, _ = digest.Write([]byte(outcome))
				if os.Getenv("HONE_OUTCOMES") == fmt.Sprint(alikeOnReleases(typ.String()), optionNames(bits)) {
					t.Logf("%q: %s", text, outcome)
				}
			}
			lines = append(lines, fmt.Sprintf("%s%s %x", alikeOnReleases(typ.String()), optionNames(bits), digest.Sum64()))
		}
	}
	if os.Getenv("HONE_UPDATE") != "" {
		if err := os.WriteFile(recorded, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner, failed, n := bufio.NewScanner(f), 0, 0
	for i := 0; scanner.Scan(); i++ {
		n++
		if i >= len(lines) || scanner.Text() != lines[i] {
			if failed++; failed < 10 {
				t.Errorf("line %d: got %q, want %q; run with HONE_OUTCOMES set to this line without its digest to log the outcomes", i+1, lines[min(i, len(lines)-1)], scanner.Text())
			}
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if n != len(lines) {
		t.Errorf("the file has %d outcomes, want %d", n, len(lines))
	}
}

// outcomeOf describes an error, unless it is an error of version 1.
func outcomeOf(err error, bits uint32) string {
	legacy := bits>>31&1 != 0 != (bits>>25&1 != 0)
	switch err.(type) {
	case nil:
		return "nil"
	case *json.MarshalerError:
		return "error"
	}
	if legacy {
		return "error"
	}
	return say(err)
}
