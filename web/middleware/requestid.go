package middleware

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"sync"

	"github.com/hone-go/hone/web"
)

// A RequestIDConfig configures RequestID.
type RequestIDConfig struct {
	Skipper Skipper
	// Generator creates an ID; by default 32 random letters.
	Generator func() string
	// RequestIDHandler is called with the ID of each request.
	RequestIDHandler func(c *web.Context, requestID string)
	// TargetHeader is the header of the ID; by default X-Request-Id.
	TargetHeader string
}

// RequestID gives each request an ID, and sets it on the response. It uses the client's
// ID if that has at most 128 characters, all of them printable ASCII, since IDs end up in
// logs. Otherwise it generates an ID.
func RequestID() web.MiddlewareFunc { return RequestIDWithConfig(RequestIDConfig{}) }

// RequestIDWithConfig is RequestID with a configuration.
func RequestIDWithConfig(config RequestIDConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RequestIDConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Generator == nil {
		config.Generator = func() string { return randomString(32) }
	}
	config.TargetHeader = cmp.Or(config.TargetHeader, web.HeaderXRequestID)
	name := http.CanonicalHeaderKey(config.TargetHeader)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		id := ""
		if sent := c.Request().Header[name]; len(sent) > 0 {
			id = sent[0]
		}
		if !acceptableID(id) {
			id = config.Generator()
		}
		c.Response().Header()[name] = []string{id}
		if config.RequestIDHandler != nil {
			config.RequestIDHandler(c, id)
		}
		return next(c)
	}), nil
}

func acceptableID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}

// A randomness is a buffer of bytes of crypto/rand. The buffer is filled by one call,
// and each byte is used once.
type randomness struct {
	bytes [512]byte
	used  int
}

var randoms = sync.Pool{New: func() any { return &randomness{used: len(randomness{}.bytes)} }}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// pairs is the number of possible pairs of letters.
const pairs = len(letters) * len(letters)

// randomString returns n random letters. Two random bytes yield two letters.
func randomString(n int) string {
	var space [260]byte
	text := space[:n+2] // two bytes more than the result, as pairs are written whole and a skipped pair is overwritten
	r := randoms.Get().(*randomness)
	for i := 0; i < n; {
		if r.used == len(r.bytes) {
			_, _ = rand.Read(r.bytes[:]) // it never fails
			r.used = 0
		}
		bytes := r.bytes[r.used:]
		bytes = bytes[:min(len(bytes), (n-i+1)&^1)]
		for k := 1; k < len(bytes); k += 2 {
			v := uint32(bytes[k-1]) | uint32(bytes[k])<<8
			two := text[i : i+2]
			two[0], two[1] = letters[v%uint32(len(letters))], letters[v/uint32(len(letters))%uint32(len(letters))]
			// Numbers past the last multiple of pairs are skipped, as they would make some pairs more likely.
			if v < 1<<16/uint32(pairs)*uint32(pairs) {
				i += 2
			}
		}
		clear(bytes)
		r.used += len(bytes)
	}
	randoms.Put(r)
	return string(text[:n])
}
