package migrate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// The syntax trees and the types of a checked package are dropped. They take about 1.5 kB for each
// line of source.
func TestMemory(t *testing.T) {
	testkit.SkipInVariant(t)
	testkit.SkipIfInstrumented(t)
	if testing.Short() {
		t.Skip("-short: 50,000 lines are type-checked")
	}
	shared := newDependencies
	newDependencies = emptyDependencies // the heap has the types of the dependencies
	defer func() { newDependencies = shared }()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/app\n\ngo 1.26.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const packages, lines = 10, 5000
	for i := range packages {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n\nimport \"encoding/json\"\n\nvar _ = json.Valid\n\n// F adds.\nfunc F(a []int) (n int) {\n", i)
		for j := range lines {
			fmt.Fprintf(&b, "\tn += a[%d] * (n + len(a[%d:]))\n", j, j)
		}
		b.WriteString("\treturn n\n}\n")
		path := filepath.Join(dir, fmt.Sprintf("p%d", i), "p.go")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var before, most uint64
	progress := func(format string, args ...any) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if before == 0 {
			before = m.HeapAlloc
		}
		most = max(most, m.HeapAlloc)
	}
	c := prepare(t, Options{Dir: dir, Progress: progress})
	const budget = 40 << 20 // the trees and types of all packages take four times as much
	if n := most - before; n > budget || c.moves() != packages {
		t.Errorf("%d imports change; the heap grows by %d MB, and the budget is %d MB", c.moves(), n>>20, budget>>20)
	}
	t.Logf("the heap grows by %d MB", (most-before)>>20)
}
