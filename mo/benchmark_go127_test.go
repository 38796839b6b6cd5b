//go:build go1.27

package mo_test

import (
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/option"
	"github.com/hone-go/hone/mo/result"
)

// BenchmarkMapTo compares the methods with the functions of the subpackages and with an if statement.
// The function that maps is not inlined, so that all three call it.
func BenchmarkMapTo(b *testing.B) {
	options := []mo.Option[int]{mo.Some(1), mo.None[int](), mo.Some(3), mo.Some(4)}
	results := []mo.Result[int]{mo.Ok(1), mo.Err[int](errOdd), mo.Ok(3), mo.Ok(4)}
	var o mo.Option[float64]
	var r mo.Result[float64]
	b.Run("Option/if", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if v, ok := options[i%4].Get(); ok {
				o = mo.Some(third(v))
			} else {
				o = mo.None[float64]()
			}
		}
	})
	b.Run("Option/function", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			o = option.Map(third)(options[i%4])
		}
	})
	b.Run("Option/method", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			o = options[i%4].MapTo(third)
		}
	})
	b.Run("Result/if", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if v, err := results[i%4].Get(); err == nil {
				r = mo.Ok(third(v))
			} else {
				r = mo.Err[float64](err)
			}
		}
	})
	b.Run("Result/function", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			r = result.Map(third)(results[i%4])
		}
	})
	b.Run("Result/method", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			r = results[i%4].MapTo(third)
		}
	})
	_, _ = o, r
}

//go:noinline
func third(v int) float64 { return float64(v) / 3 }
