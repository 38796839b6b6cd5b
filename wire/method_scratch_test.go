package wire_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/hone-go/hone/wire"
)

// A block encodes itself by an AppendBinary method, which appends to memory of the encoder.
type block struct{ text []byte }

func (b block) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.text...), nil }

func (b *block) UnmarshalBinary(data []byte) error {
	b.text = bytes.Clone(data)
	return nil
}

// TestMethodScratch encodes blocks that nearly fill the encoder's scratch memory of 16 KiB, after
// texts of several lengths, in several goroutines at once. The encoder must move such a block out of
// the scratch memory before the memory returns to its pool.
func TestMethodScratch(t *testing.T) {
	type record struct {
		Before string
		Block  block
		After  string
	}
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			fill := byte('a' + worker)
			for before := range 20 {
				for size := 16<<10 - 100; size < 16<<10; size++ {
					v := record{string(bytes.Repeat([]byte{fill}, before)), block{bytes.Repeat([]byte{fill}, size)}, "end"}
					data, err := wire.Marshal(&v)
					var back record
					if err == nil {
						err = wire.Unmarshal(data, &back)
					}
					if err != nil || back.Before != v.Before || !bytes.Equal(back.Block.text, v.Block.text) || back.After != "end" {
						t.Errorf("%d bytes before a block of %d: %v, %q", before, size, err, back)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}
