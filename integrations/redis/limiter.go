package redis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// A LimiterConfig configures a Limiter. Rate must be set.
type LimiterConfig struct {
	// Rate is the number of requests per second that a visitor may make on average, up to a
	// million.
	Rate float64
	// Burst is the number of requests that a visitor may make at once; 0 means Rate, rounded up.
	Burst int
	// Prefix is the prefix of the keys in Redis; "" means "hone:limit:". Limiters with the same
	// prefix share their counts, and must have the same Rate and Burst.
	Prefix string
	// Timeout is the maximum time for which a request waits for Redis; 0 means 250 ms. A client
	// respects the Timeout only if redis.Options.ContextTimeoutEnabled is set. Otherwise the
	// client's own timeouts apply.
	Timeout time.Duration
	// FailOpen lets requests pass while Redis does not respond. By default they are refused: the
	// middleware's DenyHandler gets the error, and may respond with 503 instead of 429.
	FailOpen bool
	// OnError, if not nil, is called for each request for which Redis did not respond.
	OnError func(err error)
}

// A Limiter is a middleware.RateLimiterStore whose counts all servers share, in Redis.
//
// It stores a token bucket for each visitor in one key, which expires when the bucket is full
// again. One script reads and writes the key, so that two servers cannot use the same token. The
// script uses the clock of the Redis server, not the clocks of the clients. If a client repeats a
// script after a lost connection, one request may be counted twice.
//
// All addresses of an IPv6 /64 network are one visitor. An identifier longer than 64 bytes is
// replaced by its SHA-256. Many visitors fill Redis with keys of about 200 bytes, each for at most
// Burst/Rate seconds. So set maxmemory, and a policy such as volatile-ttl, which first removes the
// keys that expire soonest: the buckets that are nearly full.
type Limiter struct {
	client   redis.UniversalClient
	config   LimiterConfig
	interval string // the time between two tokens, in microseconds
	limit    []string
}

// NewLimiter returns a limiter, or an error about the configuration. It does not connect to Redis.
func NewLimiter(client redis.UniversalClient, config LimiterConfig) (*Limiter, error) {
	if !(config.Rate > 0) || math.IsInf(config.Rate, 1) {
		return nil, fmt.Errorf("redis: invalid rate of %v requests per second: it must be positive and finite", config.Rate)
	}
	if config.Burst == 0 {
		config.Burst = int(math.Ceil(min(config.Rate, math.MaxInt32)))
	}
	interval := 1e6 / config.Rate
	if config.Burst < 0 || float64(config.Burst)*interval > 1e15 {
		return nil, fmt.Errorf("redis: invalid burst of %d at %v requests per second: it must be positive, and at most 30 years of requests", config.Burst, config.Rate)
	}
	if interval < 1 {
		return nil, fmt.Errorf("redis: invalid rate of %v requests per second: the maximum is 1e6", config.Rate)
	}
	if config.Prefix == "" {
		config.Prefix = "hone:limit:"
	}
	if config.Timeout <= 0 {
		config.Timeout = 250 * time.Millisecond
	}
	return &Limiter{client, config, strconv.FormatFloat(interval, 'f', -1, 64), []string{strconv.Itoa(config.Burst)}}, nil
}

// take implements the generic cell rate algorithm (ITU-T I.371). The value of a key is the time, in
// microseconds, at which the bucket is full. KEYS[1] is the key of the visitor. ARGV contains the time
// between two tokens in microseconds, and the capacity of the bucket in tokens. The script returns
// whether the request is allowed, the number of further requests that are allowed now, and the
// microseconds to wait if the request is refused. By default Lua formats numbers with 14 digits, which
// is not enough for a time, so the script formats the time itself.
var take = redis.NewScript(`
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = tonumber(redis.call('GET', KEYS[1]) or now)
full = math.max(now, math.min(full, now + burst * interval))
local free = (now + burst * interval - full) / interval + 0.000001
if free < 1 then
	return {0, 0, math.ceil((1 - free) * interval)}
end
full = full + interval
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', string.format('%.0f', math.ceil((full - now) / 1000)))
return {1, math.floor(free - 1), 0}
`)

// Allow implements middleware.RateLimiterStore. If Redis does not respond, it refuses the request
// and returns the client's error. With FailOpen it accepts the request and returns nil.
func (l *Limiter) Allow(identifier string) (bool, error) {
	allowed, _, _, err := l.take(context.Background(), identifier)
	return allowed, err
}

// AllowContext implements middleware.RateLimiterStoreContext. It sets X-RateLimit-Limit,
// X-RateLimit-Remaining and, if the request is refused, Retry-After. A request is counted even if
// its client has disconnected.
func (l *Limiter) AllowContext(c *web.Context, identifier string) (bool, error) {
	allowed, remaining, wait, err := l.take(context.WithoutCancel(c.Request().Context()), identifier)
	if remaining < 0 {
		return allowed, err
	}
	h := c.Response().Header()
	h["X-Ratelimit-Limit"] = l.limit
	h.Set(middleware.HeaderXRateLimitRemaining, strconv.FormatInt(remaining, 10))
	if !allowed {
		h.Set(web.HeaderRetryAfter, strconv.FormatInt(int64(math.Ceil(wait.Seconds())), 10))
	}
	return allowed, err
}

// take runs the script. Remaining is the number of further requests that are allowed now; it is -1
// if the script fails, for example because Redis does not respond. Wait is the time until a refused
// request would be allowed. Err is nil if config.FailOpen is set.
func (l *Limiter) take(ctx context.Context, identifier string) (allowed bool, remaining int64, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.config.Timeout)
	defer cancel()
	answer, err := take.Run(ctx, l.client, []string{l.key(identifier)}, l.interval, l.config.Burst).Int64Slice()
	if err == nil && len(answer) != 3 {
		err = errors.New("redis: unexpected result of the limiter's script")
	}
	if err != nil {
		if l.config.OnError != nil {
			l.config.OnError(err)
		}
		if l.config.FailOpen {
			return true, -1, 0, nil
		}
		return false, -1, 0, err
	}
	return answer[0] == 1, answer[1], time.Duration(answer[2]) * time.Microsecond, nil
}

// key returns the key of a visitor. An IPv6 address has the key of its /64 network.
func (l *Limiter) key(identifier string) string {
	if a, err := netip.ParseAddr(identifier); err == nil {
		a = a.Unmap().WithZone("")
		if a.Is6() {
			network, _ := a.Prefix(64)
			return l.config.Prefix + network.String()
		}
		return l.config.Prefix + a.String()
	}
	if len(identifier) > 64 {
		sum := sha256.Sum256([]byte(identifier))
		identifier = "sha256=" + hex.EncodeToString(sum[:]) // has 71 bytes, so it differs from all short identifiers
	}
	return l.config.Prefix + identifier
}
