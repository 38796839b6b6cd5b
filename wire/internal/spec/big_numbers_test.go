package spec

import (
	"math/big"
	"testing"
)

var _ bigFloat = (*big.Float)(nil)

func TestSetPrecision(t *testing.T) {
	for _, mode := range []big.RoundingMode{big.ToNearestEven, big.ToNearestAway, big.ToZero, big.AwayFromZero, big.ToNegativeInf, big.ToPositiveInf} {
		for _, old := range []*big.Float{new(big.Float), big.NewFloat(-1.5), new(big.Float).SetInf(true), new(big.Float).SetPrec(1000).SetInt64(3)} {
			f := new(big.Float).SetMode(mode).Set(old)
			if err := setPrecision(f, 321); err != nil {
				t.Fatal(err)
			}
			if f.Prec() != 321 || f.Mode() != mode || f.Sign() != 0 || f.Signbit() || f.IsInf() || f.Acc() != big.Exact {
				t.Errorf("%v became %v with %d bits, mode %v", old, f, f.Prec(), f.Mode())
			}
		}
	}
}
