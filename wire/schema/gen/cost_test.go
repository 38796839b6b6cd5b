package gen

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/schema"
)

// TestCost generates code for schemas with colliding or very long names. The memory is bounded, and
// the time is proportional to the number of names.
func TestCost(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	for language, generate := range map[string]func(*schema.Schema) ([]byte, error){"TypeScript": TypeScript, "Python": Python} {
		for name := range costly(1) {
			schemas := map[int]*schema.Schema{5000: costly(5000)[name], 20_000: costly(20_000)[name]}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := generate(schemas[20_000]); err != nil {
				t.Errorf("%s, %s: %v", name, language, err)
			}
			runtime.ReadMemStats(&after)
			if memory := after.TotalAlloc - before.TotalAlloc; memory > 400<<20 {
				t.Errorf("%s, %s: %d MB", name, language, memory>>20)
			}
			if !strings.HasPrefix(name, "nested") { // the code of a nested type is indented, and its name contains the outer names
				testkit.Grows(t, 20_000, 9, func(n int) { _, _ = generate(schemas[n]) })
			}
		}
	}
}

// costly returns schemas with n names, or n/25 levels.
func costly(n int) map[string]*schema.Schema {
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
	for range n / 25 {
		deep = structOf(schema.Field{Name: strings.Repeat("long", 40), Type: deep})
	}
	unions := flag
	for range n / 25 {
		unions = &schema.Type{Kind: "union", Tag: "uvarint", Cases: []schema.Case{{ID: 1, Name: "C", Type: unions}}}
	}
	return map[string]*schema.Schema{
		"types of one name": packages,
		"fields":            {Version: schema.Version, Type: fields},
		"cases":             {Version: schema.Version, Type: cases},
		"nested":            {Version: schema.Version, Type: deep},
		"nested unions":     {Version: schema.Version, Type: unions},
	}
}
