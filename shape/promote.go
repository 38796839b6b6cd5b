package shape

import (
	"cmp"
	"slices"
)

// promote lists the members of the struct s by the rules that encoding/json
// made common: fields of embedded structs are promoted; of several with one
// name the least nested wins, among those the tagged one, and where that does
// not decide, all of them are dropped. An embedded type is followed once a
// level, so recursion through embedding ends. Fields that are not exported are
// left out, but for embedded structs, whose exported fields are promoted. The
// order is that of declaration.
func (s *Shape) promote() []Member {
	var found []Member
	next := []area{{shape: s}}
	var count, nextCount map[*Shape]int
	visited := map[*Shape]bool{}
	for len(next) > 0 {
		current := next
		next = nil
		count, nextCount = nextCount, map[*Shape]int{}
		for _, a := range current {
			if visited[a.shape] {
				continue
			}
			visited[a.shape] = true
			for i := range a.shape.Fields {
				f := &a.shape.Fields[i]
				inner := f.embedded()
				if !f.Exported && inner == nil {
					continue
				}
				m, skip := memberOf(f)
				if skip {
					continue
				}
				m.Place = a.place(i)
				if m.tagged || inner == nil {
					found = append(found, m)
					if count[a.shape] > 1 {
						// The type is embedded more than once at this level:
						// a second copy lets the fields annihilate each other.
						found = append(found, m)
					}
					continue
				}
				nextCount[inner]++
				if nextCount[inner] == 1 {
					next = append(next, m.Place.within(inner))
				}
			}
		}
	}
	return dominant(found)
}

// dominant keeps, of the members that share a name, the one that wins.
func dominant(found []Member) []Member {
	slices.SortStableFunc(found, func(a, b Member) int {
		tagged := func(m Member) int {
			if m.tagged {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Index), len(b.Index)),
			cmp.Compare(tagged(a), tagged(b)))
	})
	kept := found[:0]
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].Name == found[i].Name {
			j++
		}
		if j == i+1 || len(found[i].Index) != len(found[i+1].Index) || found[i].tagged != found[i+1].tagged {
			kept = append(kept, found[i])
		}
		i = j
	}
	slices.SortFunc(kept, func(a, b Member) int { return slices.Compare(a.Index, b.Index) })
	return kept
}
