package route

import (
	"slices"
	"strings"
)

// Allow is called after Find has found no route. It returns the methods of the routes that match
// the path: list is a string, and header is the value of the Allow header. path is the pattern of
// the first leaf that matches. list is nil if there are no methods. header is nil if several
// patterns contribute methods.
func (s *Search[T, V]) Allow() (list any, header []string, path string) {
	var only *leaf[T]
	n := 0
	for _, l := range s.leaves {
		if l.allowed().list != nil {
			if n++; n == 1 {
				only = l
			}
		}
	}
	switch n {
	case 0:
		return nil, nil, ""
	case 1:
		a := only.allowed()
		return a.list, a.header, only.latest.Value.Pattern()
	}
	var methods []string
	for _, l := range s.leaves {
		methods = l.methods(methods)
	}
	return renderAllow(methods), nil, only.latest.Value.Pattern()
}

// renderAllow returns the value of an Allow header. OPTIONS is always allowed, because the
// router answers it if no route does.
func renderAllow(methods []string) string {
	slices.Sort(methods)
	var b strings.Builder
	b.WriteString("OPTIONS")
	for _, m := range methods {
		if m != "OPTIONS" {
			b.WriteString(", ")
			b.WriteString(m)
		}
	}
	return b.String()
}
