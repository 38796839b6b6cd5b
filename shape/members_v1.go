package shape

import (
	"cmp"
	"slices"
	"sort"
)

// promote lists the members of the struct s by the rules of encoding/json:
//
//   - Fields of embedded structs are promoted.
//   - Of several members with the same name, the least nested one wins. Among equally nested
//     members the tagged one wins. If there is no single winner, all are dropped.
//   - An embedded type is followed once per level, so recursive embedding ends.
//   - Unexported fields are omitted, except that the exported fields of unexported embedded structs
//     are promoted.
//
// The result is in the order of declaration.
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
						// The type is embedded more than once at this level. The second copy of
						// m makes dominant drop both.
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

// dominant returns the winner of each group of members with the same name: the least nested one, or
// the tagged one among equally nested members. A group without a single winner is dropped.
//
// It uses package sort, because the generic functions of package slices would be compiled for this
// large struct type, which adds 35 KB to a program.
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

// undisputed reports whether all members are direct fields of the struct with distinct names. In
// this case the argument found is already the result of dominant. undisputed compares each pair of
// names, so it returns false for a long list.
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
