package spec

import (
	"fmt"
	"hash/fnv"

	"github.com/hone-go/hone/shape"
)

// fingerprintVersion is a part of every fingerprint. Changing it makes all existing generated code
// out of date.
const fingerprintVersion = "1"

// Fingerprint returns a hash of everything that generated code for s relies on: the names, Go types
// and forms of all fields. It is the same on all platforms, so it does not depend on offsets and
// sizes. The types that an interface may hold have no influence, since they are an option of a
// codec and not a part of the type.
func (s *Spec) Fingerprint() uint64 {
	h := fnv.New64a()
	seen := map[*Spec]int{}
	// The values are written in the syntax of Go, so that two different lists are never the same bytes.
	add := func(values ...any) { fmt.Fprintf(h, "%#v\n", values) }
	var visit func(s *Spec)
	visit = func(s *Spec) {
		if s == nil {
			add("nil")
			return
		}
		// A recursive spec refers to a spec that is being visited.
		if at, again := seen[s]; again {
			add("again", at)
			return
		}
		seen[s] = len(seen)
		if s.Type != nil {
			add(shape.TypeName(s.Type), s.Type.Kind())
		}
		add(int(s.Form), int(s.Len), s.Width, s.Count, s.Signed, s.Float, s.Big, s.Evolving, s.Empty, int(s.Methods.Form), s.Zero, len(s.Fields), len(s.Cases))
		visit(s.Key)
		visit(s.Elem)
		for i := range s.Fields {
			add(s.Fields[i].Name)
			visit(s.Fields[i].Spec)
		}
		if s.Form == FormInterface {
			return
		}
		for i := range s.Cases {
			add(s.Cases[i].Name, s.Cases[i].ID)
			visit(s.Cases[i].Spec)
		}
	}
	add(fingerprintVersion)
	visit(s)
	return h.Sum64()
}
