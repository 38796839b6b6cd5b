package shape

// Endless reports whether s is a pointer that leads to a pointer of the same type, as in type P *P.
// The only values of such a type are nil and cycles.
func (s *Shape) Endless() bool {
	passed := map[*Shape]bool{}
	for ; s.Kind == Pointer && s.Elem.Kind == Pointer; s = s.Elem {
		if passed[s] {
			return true
		}
		passed[s] = true
	}
	return false
}
