//go:build goexperiment.simd && go1.27 && !purego

package vector

import "simd/archsimd"

// lookup returns the bytes of the table at the indexes, which are less than block.
func lookup(table, indexes archsimd.Uint8x16) archsimd.Uint8x16 { return table.LookupOrZero(indexes) }
