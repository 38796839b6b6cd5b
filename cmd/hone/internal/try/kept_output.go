package try

import "sync"

// mostKept is the number of bytes of a keptOutput at each end.
const mostKept = 64 << 10

// A keptOutput keeps the beginning and the end of the output of a program.
type keptOutput struct {
	mu          sync.Mutex
	first, last []byte
}

func (k *keptOutput) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(len(p), mostKept-len(k.first))
	k.first = append(k.first, p[:n]...)
	k.last = append(k.last, p[n:]...)
	if len(k.last) > 2*mostKept {
		k.last = append(k.last[:0], k.last[len(k.last)-mostKept:]...)
	}
	return len(p), nil
}

func (k *keptOutput) bytes() []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append(k.first[:len(k.first):len(k.first)], k.last[max(0, len(k.last)-mostKept):]...)
}
