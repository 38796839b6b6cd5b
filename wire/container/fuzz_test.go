package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"
)

// An event is a record, or a loss.
type event struct {
	record                         string
	offset, bytes, blocks, records int64 // of a loss
}

// slowEvents reads all of a container that is not compressed, block by block. It tries every offset and keeps
// the whole input. ok is false without a whole header.
func slowEvents(data []byte) (all []event, ok bool) {
	at, n := 0, 0
	var h Header
	for ; at <= len(data); at++ {
		var err error
		if h, n, err = parseHeader(data[at:]); err == nil {
			break
		}
	}
	if n == 0 {
		return nil, false
	}
	second := append(make([]byte, separatorSize), data[at:at+n]...)
	damaged := at == 0
	if at > 0 {
		all = append(all, event{bytes: int64(at)})
	}
	at += n
	if bytes.HasPrefix(data[at:], second) {
		at += len(second)
		damaged = false
	}
	var number, first uint64
	for start := at; ; {
		b, whole := blockAt(data[at:], &h)
		switch {
		case at < len(data) && !whole:
			at++
			damaged = true
			continue
		case at == len(data):
			if damaged {
				all = append(all, event{offset: int64(start), bytes: int64(at - start), records: -2})
			}
			return all, true
		}
		lost := event{offset: int64(start), bytes: int64(at - start), blocks: int64(b.number - number), records: int64(b.first - first)}
		end := at + b.total()
		if b.number < number || b.first < first {
			all = append(all, event{offset: lost.offset, bytes: int64(end - start)})
		} else {
			if damaged || lost.blocks > 0 || lost.records > 0 {
				all = append(all, lost)
			}
			number, first = b.number+1, b.first+uint64(b.count)
			records := data[at+blockHead : end-blockTail]
			for range b.count {
				n, used := binary.Uvarint(records)
				all = append(all, event{record: string(records[used : used+int(n)])})
				records = records[used+int(n):]
			}
		}
		at, start, damaged = end, end, false
	}
}

// blockAt returns the block at the start of data, if it is whole.
func blockAt(data []byte, h *Header) (b block, whole bool) {
	if len(data) < blockHead || !bytes.HasPrefix(data, h.marker[:]) || !b.parse(data) || len(data) < b.total() {
		return b, false
	}
	return b, binary.LittleEndian.Uint32(data[b.total()-blockTail:]) == sum(data, int(b.length))
}

// edit applies edits to data. Each edit has four bytes: the kind of change, the position and a
// number.
func edit(data, edits []byte) []byte {
	for ; len(edits) >= 4; edits = edits[4:] {
		at := int(binary.LittleEndian.Uint16(edits[1:])) % (len(data) + 1)
		n := int(edits[3])
		part := data[at:min(at+n, len(data))]
		switch edits[0] % 6 {
		case 0: // change a byte
			if len(part) > 0 {
				part[0] ^= edits[3]
			}
		case 1: // remove bytes
			data = slices.Delete(data, at, at+len(part))
		case 2: // insert bytes
			data = slices.Insert(data, at, edits[:n%len(edits)]...)
		case 3: // repeat bytes
			data = slices.Insert(data, at, bytes.Clone(part)...)
		case 4: // move bytes to the end
			data = append(slices.Delete(data, at, at+len(part)), bytes.Clone(part)...)
		case 5: // cut
			data = data[:len(data)-len(data)*n/1024]
		}
	}
	return data
}

// FuzzReader reads containers with any damage, a few bytes at a time. The records and the losses
// must be the same as with a slow reader, which keeps the whole input.
func FuzzReader(f *testing.F) {
	f.Add([]byte{}, byte(0))
	f.Add([]byte{0, 20, 1, 7, 1, 40, 2, 1, 2, 60, 2, 9, 3, 9, 1, 200, 4, 0, 2, 150, 5, 0, 0, 40}, byte(50))
	f.Add([]byte{0, 3, 0, 7, 3, 160, 1, 103, 4, 120, 1, 103}, byte(3))
	whole := entries(f, 60, Options{BlockSize: 50})
	small := entries(f, 20, Options{BlockSize: 50, OmitSchema: true})
	f.Fuzz(func(t *testing.T, edits []byte, size byte) {
		s := whole
		if size%2 == 1 {
			s = small
		}
		data := edit(bytes.Clone(s.data), edits)
		want, ok := slowEvents(data)
		r, err := NewRecords(&chunks{data, int(size) + 1}, ReaderOptions{})
		if (err == nil) != ok {
			t.Fatalf("%v; the slow reader finds a header: %t", err, ok)
		}
		if err != nil {
			return
		}
		var got []event
		for {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			var lost *LossError
			if errors.As(err, &lost) {
				one := event{offset: lost.Offset, bytes: lost.Bytes, blocks: lost.Blocks, records: lost.Records}
				if len(got) < len(want) && want[len(got)].records == -2 {
					one.blocks, one.records = 0, -2 // the slow reader does not count them
				}
				got = append(got, one)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, event{record: string(record)})
			if len(got) > len(data) {
				t.Fatal("the loop does not end")
			}
		}
		if !slices.Equal(got, want) {
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("event %d of %d: %+v\nwant %d: %+v", i, len(got), got[i:min(i+2, len(got))], len(want), want[i:min(i+2, len(want))])
				}
			}
		}
	})
}

// chunks is a reader that returns at most size bytes at a time.
type chunks struct {
	data []byte
	size int
}

func (c *chunks) Read(b []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, c.data[:min(c.size, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}
