package schema

import (
	"maps"
	"slices"
)

// Kinds returns the names in the table of kinds, for tests.
func Kinds() []string { return slices.Sorted(maps.Keys(tableOfKinds())) }

// Incomplete reports whether the row of a kind lacks a function that every kind has.
func Incomplete(name string) bool {
	row := kindOf(name)
	return row.decode == nil || row.encode == nil || row.skip == nil || row.print == nil || row.parse == nil
}
