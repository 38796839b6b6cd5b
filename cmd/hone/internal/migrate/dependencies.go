package migrate

import (
	"crypto/sha256"
	"fmt"
	"go/token"
	"go/types"
	"sync"
)

// A dependencyCache has the types of the packages that no plan can affect. The graphs of a planner share them, so
// that a package with the same files in several build configurations is checked once.
type dependencyCache struct {
	// fset has the files of all graphs, so that a position in a shared package is not also a position
	// in another file.
	fset *token.FileSet

	mu    sync.Mutex
	types map[dependencyKey]*types.Package
}

// A dependencyKey is a hash of everything that the declarations of a package depend on: its files and
// its dependencies. Packages that are not shared have the zero key.
type dependencyKey [sha256.Size]byte

// newDependencies returns the cache of a planner. The tests replace this function, and share one cache.
var newDependencies = emptyDependencies

func emptyDependencies() *dependencyCache {
	return &dependencyCache{fset: token.NewFileSet(), types: map[dependencyKey]*types.Package{}}
}

// get returns the types of a package, or nil.
func (c *dependencyCache) get(k dependencyKey) *types.Package {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.types[k]
}

// put adds the types of a package, and returns the types that are then in the cache. If another
// planner has added the package first, put returns that planner's types, because all importers of a
// package must get the same types.
func (c *dependencyCache) put(k dependencyKey, p *types.Package) *types.Package {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.types[k]; first != nil {
		return first
	}
	c.types[k] = p
	return p
}

// dependencyKey returns the key of a package with the given texts of files. The keys of its
// dependencies must be set before.
func (g *graph) dependencyKey(n *node, texts [][]byte) (k dependencyKey) {
	h := sha256.New()
	release := ""
	if n.pkg.Module != nil {
		release = n.pkg.Module.GoVersion
	}
	fmt.Fprintf(h, "%q %q %+v\n", n.pkg.PkgPath, release, g.sizes)
	for i, path := range sortedKeys(n.pkg.Imports) {
		d := n.deps[i]
		if d.key == (dependencyKey{}) {
			return dependencyKey{}
		}
		fmt.Fprintf(h, "%q %x\n", path, d.key)
	}
	for _, text := range texts {
		fmt.Fprintf(h, "%d\n", len(text))
		_, _ = h.Write(text)
	}
	h.Sum(k[:0])
	return k
}

// checkDependency sets the types of a package that no plan affects.
func (g *graph) checkDependency(n *node) {
	texts := g.read(n)
	n.key = g.dependencyKey(n, texts)
	if n.key != (dependencyKey{}) && len(n.errs) == 0 {
		if n.types = g.shared.get(n.key); n.types != nil {
			return
		}
	}
	g.parse(n, texts)
	n.types = g.checkTypes(n, true)
	for _, f := range n.tokens {
		g.fset.RemoveFile(f) // no position in the package is reported
	}
	n.files, n.tokens, n.names = nil, nil, nil
	if n.unlisted || len(n.errs) > 0 {
		n.key = dependencyKey{}
	}
	if n.key != (dependencyKey{}) {
		n.types = g.shared.put(n.key, n.types)
	}
}
