package middleware

import (
	"errors"
	"hash/maphash"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/web"
)

// Response headers set by a RateLimiterStoreContext.
const (
	HeaderXRateLimitLimit     = "X-RateLimit-Limit"
	HeaderXRateLimitRemaining = "X-RateLimit-Remaining"
)

// A RateLimiterStore counts the requests of each visitor. If identifiers are addresses,
// as from web.Context.RealIP, a store should count an IPv6 network as one visitor, as
// [RateLimiterMemoryStore] does: one visitor has 2^64 addresses.
type RateLimiterStore interface {
	// Allow reports whether a visitor may make another request, and counts the request.
	Allow(identifier string) (bool, error)
}

// A RateLimiterStoreContext is a store that sets headers of the response. Its
// AllowContext is called instead of Allow.
type RateLimiterStoreContext interface {
	AllowContext(c *web.Context, identifier string) (bool, error)
}

// An Extractor returns the identifier of the visitor.
type Extractor func(c *web.Context) (string, error)

// A RateLimiterConfig configures RateLimiter.
type RateLimiterConfig struct {
	Skipper    Skipper
	BeforeFunc BeforeFunc
	// IdentifierExtractor is web.Context.RealIP by default.
	IdentifierExtractor Extractor
	// Store must be set.
	Store RateLimiterStore
	// ErrorHandler handles the extractor's error; by default with a 403.
	ErrorHandler func(c *web.Context, err error) error
	// DenyHandler answers a request above the limit; by default with 429.
	DenyHandler func(c *web.Context, identifier string, err error) error
}

// Errors that RateLimiter returns.
var (
	// ErrRateLimitExceeded has the status 429, for a request above the limit.
	ErrRateLimitExceeded = web.NewHTTPError(http.StatusTooManyRequests, "rate limit exceeded")
	// ErrExtractorError has the status 403, for a visitor without an identifier.
	ErrExtractorError = web.NewHTTPError(http.StatusForbidden, "error while extracting identifier")
)

// DefaultRateLimiterConfig is the configuration of RateLimiter.
var DefaultRateLimiterConfig = RateLimiterConfig{
	Skipper:             DefaultSkipper,
	IdentifierExtractor: func(c *web.Context) (string, error) { return c.RealIP(), nil },
	ErrorHandler:        func(_ *web.Context, err error) error { return ErrExtractorError.Wrap(err) },
	DenyHandler:         func(_ *web.Context, _ string, err error) error { return ErrRateLimitExceeded.Wrap(err) },
}

// RateLimiter limits the number of requests of each visitor:
//
//	e.Use(middleware.RateLimiter(middleware.NewRateLimiterMemoryStore(20)))
func RateLimiter(store RateLimiterStore) web.MiddlewareFunc {
	config := DefaultRateLimiterConfig
	config.Store = store
	return RateLimiterWithConfig(config)
}

// RateLimiterWithConfig is RateLimiter with a configuration.
func RateLimiterWithConfig(config RateLimiterConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RateLimiterConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.IdentifierExtractor == nil {
		config.IdentifierExtractor = DefaultRateLimiterConfig.IdentifierExtractor
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = DefaultRateLimiterConfig.ErrorHandler
	}
	if config.DenyHandler == nil {
		config.DenyHandler = DefaultRateLimiterConfig.DenyHandler
	}
	if config.Store == nil {
		return nil, errors.New("middleware: RateLimiter: store configuration must be provided")
	}
	allow := func(_ *web.Context, identifier string) (bool, error) { return config.Store.Allow(identifier) }
	if s, ok := config.Store.(RateLimiterStoreContext); ok {
		allow = s.AllowContext
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		if config.BeforeFunc != nil {
			config.BeforeFunc(c)
		}
		identifier, err := config.IdentifierExtractor(c)
		if err != nil {
			return config.ErrorHandler(c, err)
		}
		allowed, err := allow(c, identifier)
		if !allowed {
			return config.DenyHandler(c, identifier, err)
		}
		return next(c)
	}), nil
}

// A RateLimiterMemoryStoreConfig configures a RateLimiterMemoryStore.
type RateLimiterMemoryStoreConfig struct {
	// Rate is the number of requests a second that a visitor may make on average.
	Rate float64
	// Burst is the number of requests that a visitor may make at once; 0 means
	// Rate, rounded up, and at least 1.
	Burst int
	// ExpiresIn has no effect, and exists for compatibility with Echo. A visitor is
	// forgotten once all of its burst is available again.
	ExpiresIn time.Duration
}

// DefaultRateLimiterMemoryStoreConfig is the configuration of
// NewRateLimiterMemoryStore.
var DefaultRateLimiterMemoryStoreConfig = RateLimiterMemoryStoreConfig{ExpiresIn: 3 * time.Minute}

// NewRateLimiterMemoryStore returns a store with a rate in requests a second.
func NewRateLimiterMemoryStore(rateLimit float64) (store *RateLimiterMemoryStore) {
	return NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: rateLimit})
}

// NewRateLimiterMemoryStoreWithConfig returns a store as configured.
func NewRateLimiterMemoryStoreWithConfig(config RateLimiterMemoryStoreConfig) (store *RateLimiterMemoryStore) {
	if config.Burst == 0 {
		config.Burst = int(max(1, math.Ceil(min(config.Rate, math.MaxInt32))))
	}
	s := &RateLimiterMemoryStore{
		burst: config.Burst, limit: []string{strconv.Itoa(config.Burst)}, rested: []string{strconv.Itoa(config.Burst - 1)},
	}
	s.buckets.init(config.Rate, config.Burst)
	return s
}

// A RateLimiterMemoryStore keeps a token bucket for each visitor in memory. The
// addresses of an IPv6 network of 64 bits are one visitor. A store takes 2.2 MB,
// whatever the number of visitors and the length of their identifiers. With more than
// about 100,000 visitors at once, it forgets the visitors that have used the least of
// their burst. A new visitor is never refused because of other visitors.
type RateLimiterMemoryStore struct {
	buckets buckets
	burst   int
	limit   []string // value of X-RateLimit-Limit
	rested  []string // value of X-RateLimit-Remaining after the first request with a full bucket
}

// Allow implements RateLimiterStore. It allocates nothing.
func (store *RateLimiterMemoryStore) Allow(identifier string) (bool, error) {
	allowed, _ := store.buckets.take(identifier)
	return allowed, nil
}

var (
	headerRateLimit     = http.CanonicalHeaderKey(HeaderXRateLimitLimit)
	headerRateRemaining = http.CanonicalHeaderKey(HeaderXRateLimitRemaining)
)

// AllowContext implements RateLimiterStoreContext. It sets X-RateLimit-Limit and
// X-RateLimit-Remaining, and Retry-After if the request is above the limit.
func (store *RateLimiterMemoryStore) AllowContext(c *web.Context, identifier string) (bool, error) {
	allowed, ahead := store.buckets.take(identifier)
	h := c.Response().Header()
	h[headerRateLimit] = store.limit
	if remaining := store.buckets.remaining(ahead); remaining == store.burst-1 {
		h[headerRateRemaining] = store.rested
	} else {
		h[headerRateRemaining] = smallNumber(remaining)
	}
	if !allowed {
		if wait := store.buckets.wait(ahead); wait > 0 {
			h[web.HeaderRetryAfter] = smallNumber(wait)
		}
	}
	return allowed, nil
}

// smallNumbers are the header values of the numbers from 0 to 255.
var smallNumbers = func() (all [256][]string) {
	for i := range all {
		all[i] = []string{strconv.Itoa(i)}
	}
	return all
}()

func smallNumber(n int) []string {
	if n >= 0 && n < len(smallNumbers) {
		return smallNumbers[n]
	}
	return []string{strconv.Itoa(n)}
}

// buckets are the token buckets of many visitors, in a table of a fixed size.
//
// A bucket is stored as a single number, as in the generic cell rate algorithm (ITU-T I.371): the
// time at which the bucket will be full again. A request takes a token by adding the time of one
// token to that number. It is refused if the bucket would then take longer to fill than an empty
// bucket.
//
// The visitor's key determines a row of the table. A new visitor has a full bucket. If the row has
// no free place, the new visitor replaces the visitor with the fullest bucket in the row, because
// forgetting that visitor changes the least.
type buckets struct {
	began    time.Time
	perToken int64 // ns; 0 if there is no limit
	depth    int64 // ns until an empty bucket is full
	seed     maphash.Seed
	rows     []bucketRow
}

const (
	bucketRows   = 8192
	bucketPlaces = 16 // the number of visitors in a row
)

type bucketRow struct {
	mu       sync.Mutex
	visitors [bucketPlaces]Visitor
}

// A Visitor is a client whose requests are counted.
type Visitor struct {
	key  uint64
	full int64 // the time at which the bucket is full, in ns since the store began
}

func (b *buckets) init(rate float64, burst int) {
	b.began = time.Now()
	b.seed = maphash.MakeSeed()
	perToken := math.Inf(1)
	if rate > 0 {
		perToken = 1e9 / rate
	}
	// A rate of 0 means one token per longest, the longest time that can be counted.
	const longest = math.MaxInt64 / 4
	b.perToken = int64(min(perToken, float64(longest)/float64(max(burst, 1))))
	b.depth = b.perToken * int64(max(burst, 0))
	b.rows = make([]bucketRow, bucketRows)
}

func (b *buckets) now() int64 { return int64(time.Since(b.began)) }

// take takes a token from a visitor's bucket, if there is one. untilFull is the time until the
// bucket will be full, in ns.
func (b *buckets) take(id string) (ok bool, untilFull int64) {
	key, now := b.key(id), b.now()
	row := &b.rows[key%bucketRows]
	row.mu.Lock()
	defer row.mu.Unlock()
	return b.takeFrom(row.visitor(key), now)
}

func (b *buckets) takeFrom(v *Visitor, now int64) (ok bool, ahead int64) {
	next := max(v.full, now) + b.perToken
	if next-now > b.depth {
		return false, max(v.full-now, 0)
	}
	v.full = next
	return true, next - now
}

// key returns the key of a visitor. All addresses of an IPv6 network of 64 bits
// have one key, because one customer is assigned all of them.
func (b *buckets) key(id string) uint64 {
	if strings.IndexByte(id, ':') >= 0 {
		if a, err := netip.ParseAddr(id); err == nil && a.Is6() && !a.Is4In6() {
			network := a.As16()
			return maphash.Bytes(b.seed, network[:8])
		}
	}
	return maphash.String(b.seed, id)
}

// visitor returns the entry of a visitor. A new visitor gets a full bucket.
func (r *bucketRow) visitor(key uint64) *Visitor {
	least := &r.visitors[0]
	for i := range r.visitors {
		v := &r.visitors[i]
		if v.key == key {
			return v
		}
		if v.full < least.full {
			least = v
		}
	}
	*least = Visitor{key: key}
	return least
}

// remaining returns the number of tokens in a bucket that will be full after untilFull
// nanoseconds.
func (b *buckets) remaining(untilFull int64) int {
	if b.perToken == 0 {
		return math.MaxInt32
	}
	return int(max(b.depth-untilFull, 0) / b.perToken)
}

// wait returns the number of seconds until the bucket has a token.
func (b *buckets) wait(ahead int64) int {
	ns := ahead + b.perToken - b.depth
	if ns <= 0 || b.depth == 0 {
		return 0
	}
	return int((ns + 1e9 - 1) / 1e9)
}
