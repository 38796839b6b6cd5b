package typeclass_test

import (
	"fmt"
	"slices"

	"github.com/hone-go/hone/mo/typeclass"
)

type names []string

func (n names) Filter(keep func(names) bool) names {
	return slices.DeleteFunc(slices.Clone(n), func(s string) bool { return !keep(names{s}) })
}

// A function can accept every container that has the methods of the interface.
func ExampleFilterable() {
	var list typeclass.Filterable[names] = names{"ann", "bob", "al"}
	fmt.Println(list.Filter(func(n names) bool { return n[0][0] == 'a' }))
	// Output: [ann al]
}
