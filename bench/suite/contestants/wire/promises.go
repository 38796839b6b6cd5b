package wire

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Decoders are probed for these kinds of behaviour. Binary codecs have no original, so the probes test the
// guarantees of package wire. Encoders have no probes, because their output is checked.
const (
	decodes        = "binary decode"
	decodesAliased = "binary decode, strings aliased"
)

// hostileLengths are lengths that exceed the input, each in the encoding of some format. The first ones are
// about 16 million, which can be allocated.
var hostileLengths = [][]byte{
	{0xff, 0xff, 0xff, 0x07}, {0xff, 0xff, 0xff, 0x00}, {0x00, 0xff, 0xff, 0xff}, {0x80, 0xff, 0xff, 0xff, 0x00},
	{0xdd, 0x00, 0xff, 0xff, 0xff}, {0xdf, 0x00, 0xff, 0xff, 0xff}, {0xdb, 0x00, 0xff, 0xff, 0xff}, {0xc6, 0x00, 0xff, 0xff, 0xff}, // MessagePack
	{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0xff, 0x0f}, binary.AppendUvarint(nil, 1<<64-1), binary.AppendUvarint(nil, 1<<63-1),
}

// spread returns about limit numbers between 0 and n - 1: all numbers below limit/2, and numbers at
// equal distances above limit/2. If n is at most limit/2, it returns all numbers below n.
func spread(n, limit int) (all []int) {
	for i := range n {
		if i < limit/2 || (i-limit/2)%(2*n/limit+1) == 0 {
			all = append(all, i)
		}
	}
	return all
}

// places returns the number of offsets at which a probe changes an encoding: limit, or fewer if the
// encoding is long.
func places(data []byte, limit int) int {
	if len(data) > 1<<16 {
		return limit * 3 / 20
	}
	return limit
}

// probing returns the probes of a codec. The probes change the encoding of v, a valid input.
func probing[T any](c codec[T], v T, aliased bool) *contest.Probes {
	// Each probe has its own coder, since some keep state after an error.
	open := func() (coder[T], []byte) {
		made, err := c.make(v)
		if err != nil {
			panic(err)
		}
		data, err := made.encode(nil)
		if err != nil {
			panic(err)
		}
		return made, bytes.Clone(data)
	}
	probes := new(contest.Probes)
	// This probe is first, since the state that some codecs keep after an error could affect it.
	if !aliased {
		probes.List = append(probes.List, contest.Probe{Fewer: "retains its input", Kept: func() bool {
			made, data := open()
			if made.decode(data) != nil {
				return false
			}
			for i := range data {
				data[i] = '?'
			}
			return contest.Same(made.value(), v) == nil
		}})
	}
	probes.List = append(probes.List,
		contest.Probe{Fewer: "accepts truncated input", Kept: func() bool {
			made, data := open()
			for _, n := range spread(len(data), places(data, 2000)) {
				if made.decode(bytes.Clone(data[:n])) == nil {
					return false
				}
			}
			return true
		}},
		contest.Probe{Fewer: "crashes on hostile lengths, or allocates as much as they claim", Kept: func() bool {
			made, data := open()
			const allowed = 64 // the memory that a decoder may allocate, as a multiple of the length of the input
			for _, at := range spread(len(data), places(data, 200)) {
				for _, length := range hostileLengths {
					input := bytes.Clone(data)
					copy(input[at:], length)
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_ = made.decode(input)
					runtime.ReadMemStats(&after)
					if after.TotalAlloc-before.TotalAlloc > allowed*uint64(len(input))+1<<20 {
						return false
					}
				}
			}
			return true
		}})
	return probes
}
