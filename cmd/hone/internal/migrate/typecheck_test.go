package migrate

import (
	"testing"

	"golang.org/x/tools/go/packages"
)

// A later configuration checks the bodies of packages with other files, and of packages that import them.
func TestShare(t *testing.T) {
	build := func(files map[string]string) *graph {
		g := &graph{}
		var last *node
		for _, id := range []string{"a", "b", "c"} { // b imports a, and c imports b
			n := &node{pkg: &packages.Package{ID: id, GoFiles: []string{files[id]}}, target: true}
			if last != nil {
				n.deps = []*node{last}
			}
			g.nodes, last = append(g.nodes, n), n
		}
		return g
	}
	first := build(map[string]string{"a": "a.go", "b": "b_linux.go", "c": "c.go"})
	for _, test := range []struct {
		files  map[string]string
		shared [3]bool
	}{
		{map[string]string{"a": "a.go", "b": "b_linux.go", "c": "c.go"}, [3]bool{true, true, true}},
		{map[string]string{"a": "a.go", "b": "b_windows.go", "c": "c.go"}, [3]bool{true, false, false}},
		{map[string]string{"a": "a_windows.go", "b": "b_linux.go", "c": "c.go"}, [3]bool{false, false, false}},
	} {
		g := build(test.files)
		g.share([]*graph{first})
		for i, n := range g.nodes {
			if n.shared != test.shared[i] {
				t.Errorf("%v: package %s: shared is %v", test.files, n.pkg.ID, n.shared)
			}
		}
	}
}
