package locate

import (
	"cmp"
	"slices"

	"github.com/hone-go/hone/json/internal/engine"
)

// Members completes the paths of err, if it is a MembersError that decoding data returned,
// and puts its members in the order of the text. It reads data from its start.
func Members(data []byte, err error) {
	e, ok := err.(*engine.MembersError)
	if !ok {
		return
	}
	slices.SortStableFunc(e.Members, func(a, b engine.MemberError) int { return cmp.Compare(a.Offset, b.Offset) })
	w := walk{data: data}
	rest := e.Members
	for len(rest) > 0 {
		t, ok := w.next()
		if !ok {
			return
		}
		for len(rest) > 0 && rest[0].Offset <= t.start {
			m := &rest[0]
			rest = rest[1:]
			// The way to a member is that of its value; walk has left a scalar, not its level.
			m.Path = w.path(true)
			if m.Absent() {
				m.Path += stepOf(m.Name)
			}
		}
		if t.kind == '[' || t.kind == '{' {
			w.enter(t, false)
		}
	}
}
