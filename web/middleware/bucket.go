package middleware

import (
	"hash/maphash"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// A bucket is a token bucket, kept as the one number that the generic cell rate
// algorithm (ITU-T I.371) needs: the time at which the bucket will be full
// again, in nanoseconds since the store began. A request takes a token by
// moving that time on by as long as a token takes to come, and is refused if the
// bucket would be further from full than it can hold.
type bucket struct{ full atomic.Int64 }

// buckets are those of many visitors.
type buckets struct {
	began    time.Time
	perToken int64 // ns; 0 if there is no limit
	depth    int64 // ns until an empty bucket is full
	expires  int64 // ns
	seed     maphash.Seed
	shards   [shards]bucketShard
	shared   bucket // of those for whom there is no room
}

const (
	shards   = 64
	perShard = 2048 // visitors
)

type bucketShard struct {
	mu       sync.RWMutex
	visitors map[string]*Visitor
	swept    int64 // when the shard was last swept
	_        [64]byte
}

func (b *buckets) init(rate float64, burst int, expires time.Duration) {
	b.began = time.Now()
	b.expires = int64(expires)
	b.seed = maphash.MakeSeed()
	perToken := math.Inf(1)
	if rate > 0 {
		perToken = 1e9 / rate
	}
	// A rate of nothing is one token in as long as can be counted.
	const longest = math.MaxInt64 / 4
	b.perToken = int64(min(perToken, float64(longest)/float64(max(burst, 1))))
	b.depth = b.perToken * int64(max(burst, 0))
	for i := range b.shards {
		b.shards[i].visitors = map[string]*Visitor{}
	}
}

func (b *buckets) now() int64 { return int64(time.Since(b.began)) }

// take takes a token of a visitor's bucket, if it has one. ahead is how long
// from now the bucket will be full.
func (b *buckets) take(id string) (ok bool, ahead int64) {
	now := b.now()
	return b.takeFrom(b.of(id, now), now)
}

func (b *buckets) takeFrom(bucket *bucket, now int64) (ok bool, ahead int64) {
	for {
		full := bucket.full.Load()
		next := max(full, now) + b.perToken
		if next-now > b.depth {
			return false, max(full-now, 0)
		}
		if bucket.full.CompareAndSwap(full, next) {
			return true, next - now
		}
	}
}

// of returns the bucket of a visitor.
func (b *buckets) of(id string, now int64) *bucket {
	s := &b.shards[maphash.String(b.seed, id)%shards]
	s.mu.RLock()
	v := s.visitors[id]
	s.mu.RUnlock()
	if v != nil {
		return &v.bucket
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.visitors[id]; v != nil {
		return &v.bucket
	}
	if len(s.visitors) >= perShard || now-s.swept > b.expires {
		s.sweep(now, b.expires)
		if len(s.visitors) >= perShard {
			return &b.shared
		}
	}
	v = &Visitor{}
	s.visitors[id] = v
	return &v.bucket
}

// sweep forgets the visitors whose buckets are full, which is all that a new
// visitor's would be, and those not seen for a long time. A full shard is not
// swept again at once, or each new visitor of a flood would pay for it.
func (s *bucketShard) sweep(now, expires int64) {
	if s.swept != 0 && now-s.swept < min(expires, int64(100*time.Millisecond)) {
		return
	}
	s.swept = now
	for id, v := range s.visitors {
		if v.full.Load() <= now {
			delete(s.visitors, id)
		}
	}
}

// remaining is how many tokens there are in a bucket that will be full in so
// many nanoseconds.
func (b *buckets) remaining(ahead int64) int {
	if b.perToken == 0 {
		return math.MaxInt32
	}
	return int(max(b.depth-ahead, 0) / b.perToken)
}

// wait is how many seconds pass until the bucket has a token.
func (b *buckets) wait(ahead int64) int {
	ns := ahead + b.perToken - b.depth
	if ns <= 0 || b.depth == 0 {
		return 0
	}
	return int((ns + 1e9 - 1) / 1e9)
}
