package shape

// Endless reports whether s is a pointer that leads to itself through pointers, mo.Options and
// mo.Nullables only, as in type P *P. Such a type holds nothing but nil, empty optional values and cycles.
func (s *Shape) Endless() bool {
	if s.Kind != Pointer || s.Elem.optional() == nil {
		return false // most pointers
	}
	passed := map[*Shape]bool{}
	for ; s != nil; s = s.optional() {
		if passed[s] {
			return true
		}
		passed[s] = true
	}
	return false
}
