package wire

import (
	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer"
	"github.com/hone-go/hone/wire"
)

// These types have codecs that hone gen -go has written to hone_gen.go. They are separate types, because the peers'
// methods are on the original types, and the other contests of Hone must not use generated code.
//
// The first line of hone_gen.go has the command; TestGenerated checks that the file is up to date.
type (
	honeSimple     Simple
	honeNested     Nested
	honeRecord     Record
	honeNumbers    wirepeer.Numbers
	honeTexts      wirepeer.Texts
	honeDictionary wirepeer.Dictionary
	honeLevels     wirepeer.Level1
	honeBatch      wirepeer.Batch
)

// generatedName is the name of the contestants with generated code of Hone.
const generatedName = "hone gen -go"

// generatedReused returns the codec of M, a type with generated code. The codec decodes into the
// value that it decoded before.
func generatedReused[T, M any](to func(*T) *M, options ...wire.Options) codec[T] {
	c := wire.Must(wire.For[M](options...))
	return reused(generatedName, func(dst []byte, v *T) ([]byte, error) { return c.Append(dst, to(v)) },
		func(data []byte, v *T) error { return c.Unmarshal(data, to(v)) }, "generated")
}

// generatedRenewed is like generatedReused, but each call encodes into a new buffer or decodes into a
// new value.
func generatedRenewed[T, M any](to func(*T) *M) codec[T] {
	return renewed(generatedName, func(_ []byte, v *T) ([]byte, error) { return wire.Marshal(to(v)) },
		func(data []byte, v *T) error { return wire.Unmarshal(data, to(v)) }, "generated")
}
