package container

// place compares the sequence numbers of the whole block b with the expected ones. lost reports
// missing or repeated blocks. deliver is false if the caller must skip b.
func (s *scanner) place(b *block) (lost *LossError, deliver bool) {
	at := s.window.Offset
	switch {
	case b.number < s.number || b.first < s.first:
		// The block was delivered before, or was already reported as lost.
		size := int64(b.total())
		if s.gap {
			lost = s.loss(at, int64(0), 0)
		}
		if lost == nil {
			lost = &LossError{Offset: at}
		}
		lost.Bytes += size
		lost.Err = ErrOrder
		s.window.Take(b.total())
		return lost, false
	case s.gap || b.number > s.number || b.first > s.first:
		lost = s.loss(at, int64(b.number-s.number), int64(b.first-s.first))
	}
	s.number, s.first = b.number+1, b.first+uint64(b.count)
	if b.count > 0 {
		s.end = at + int64(b.total())
	}
	s.closed = b.count == 0
	return lost, true
}

// loss returns the error about missing blocks and records before the given offset. If a gap ends
// there, the error contains the position and the cause of the gap.
func (s *scanner) loss(offset, blocks, records int64) *LossError {
	lost := &LossError{Offset: offset, Blocks: blocks, Records: records, Err: ErrMissing}
	if s.gap {
		lost.Offset, lost.Bytes, lost.Err = s.from, offset-s.from, s.cause
		s.gap = false
	}
	return lost
}

// lastGap returns the error about a gap at the end of the stream, or nil if there is none.
func (s *scanner) lastGap() *LossError {
	if !s.gap {
		return nil
	}
	blocks, records := max(s.blocks, s.least), int64(-1)
	switch {
	case blocks == 0:
		records = 0
	case s.hasHead:
		blocks = int64(s.lastHead.number - s.number + 1)
		records = int64(s.lastHead.first - s.first + uint64(s.lastHead.count))
	}
	return s.loss(s.window.Offset, blocks, records)
}
