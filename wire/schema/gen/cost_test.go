package gen

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/schema"
)

// TestCost generates code for schemas with colliding or very long names. The time and the memory
// must be proportional to the schema. The bound on the time is far above the usual 0.3 seconds,
// because the machine may be busy.
func TestCost(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	const n = 20000
	flag := &schema.Type{Kind: "bool"}
	structOf := func(fields ...schema.Field) *schema.Type { return &schema.Type{Kind: "struct", Fields: fields} }
	packages := &schema.Schema{Version: schema.Version, Type: structOf(), Types: map[string]*schema.Type{}}
	fields, cases := structOf(), &schema.Type{Kind: "union", Tag: "uvarint"}
	for i := range n {
		name := fmt.Sprintf("example.org/p%d/app.T", i)
		packages.Types[name] = structOf(schema.Field{Name: "x", Type: flag})
		packages.Type.Fields = append(packages.Type.Fields, schema.Field{Name: "f", Type: &schema.Type{Kind: "ref", Name: name}})
		fields.Fields = append(fields.Fields, schema.Field{Name: "x" + strings.Repeat("_", i%3), Type: flag})
		cases.Cases = append(cases.Cases, schema.Case{ID: uint32(i + 1), Name: "C", Type: flag})
	}
	deep := structOf(schema.Field{Name: "x", Type: flag})
	for range 900 {
		deep = structOf(schema.Field{Name: strings.Repeat("long", 40), Type: deep})
	}
	unions := flag
	for range 900 {
		unions = &schema.Type{Kind: "union", Tag: "uvarint", Cases: []schema.Case{{ID: 1, Name: "C", Type: unions}}}
	}
	for name, s := range map[string]*schema.Schema{
		"types of one name": packages,
		"fields":            {Version: schema.Version, Type: fields},
		"cases":             {Version: schema.Version, Type: cases},
		"nested":            {Version: schema.Version, Type: deep},
		"nested unions":     {Version: schema.Version, Type: unions},
	} {
		for language, make := range map[string]func(*schema.Schema) ([]byte, error){"TypeScript": TypeScript, "Python": Python} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := make(s)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Errorf("%s, %s: %v", name, language, err)
			}
			if memory := after.TotalAlloc - before.TotalAlloc; took > 20*time.Second || memory > 400<<20 {
				t.Errorf("%s, %s: %v and %d MB", name, language, took, memory>>20)
			}
		}
	}
}
