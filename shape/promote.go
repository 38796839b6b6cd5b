package shape

import (
	"cmp"
	"slices"
	"sort"
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

// dominant keeps, of the members that share a name, the one that wins: the least nested,
// among those the tagged one, none where that does not decide.
//
// It sorts by package sort: the generic functions would be compiled for a large struct, which
// programs pay for with 35 KB.
func dominant(found []Member) []Member {
	if undisputed(found) {
		return found
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Index), len(b.Index)), b.tag()-a.tag()) < 0
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
	sort.Slice(kept, func(i, j int) bool { return slices.Compare(kept[i].Index, kept[j].Index) < 0 })
	return kept
}

// undisputed reports whether all members belong to the struct itself, and their names differ,
// so that all are kept and in order. It does not look at more than a few names, since it
// compares each with all others.
func undisputed(found []Member) bool {
	const most = 32
	if len(found) > most {
		return false
	}
	for i := range found {
		if len(found[i].Index) != 1 {
			return false
		}
		for j := range i {
			if found[i].Name == found[j].Name {
				return false
			}
		}
	}
	return true
}
