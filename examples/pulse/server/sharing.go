package server

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/web/middleware"
)

const (
	// sharedFor is the time for which an answer is sent to later requests too.
	sharedFor = time.Second

	// maxComputing is the maximum number of answers that are being computed.
	maxComputing = 2

	// maxShared limits the bytes of all answers that are kept or being sent, without the answers that
	// are being computed. So clients that request many different pages and read them slowly cannot
	// exhaust the server's memory.
	maxShared = 64 << 20

	// answerSize is the approximate size of an answer in addition to its body: its header and its
	// entry in the map.
	answerSize = 1024
)

// A sharing computes an answer once, and sends it to several requests: to all requests for the same
// page in the same format that arrive during the computation or within a second after it. So many
// clients with the same request cost as much as one client.
type sharing struct {
	gate      *security.Gate
	computing chan struct{} // has an element for each answer that is being computed

	mu      sync.Mutex
	answers map[answerKey]*sharedAnswer
	size    int // the size of all answers that are kept or being sent, in bytes
}

// An answerKey is the hash of the parts of a request that determine its answer.
type answerKey [sha256.Size]byte

// A sharedAnswer is one answer. It is also the http.ResponseWriter of the handler that computes it.
type sharedAnswer struct {
	key    answerKey
	done   chan struct{} // closed when the following fields no longer change
	header http.Header
	status int
	body   []byte

	// The following fields are guarded by sharing.mu.
	at      time.Time // the time at which done was closed; zero before that
	waiting int       // the number of requests that wait for the answer or are sending it
	size    int       // the bytes of this answer that are counted in sharing.size
}

// newSharing returns a sharing for requests that meet one of the given security requirements.
func newSharing(read []security.Requirement) *sharing {
	gate, err := security.NewGate(read...)
	if err != nil {
		panic(err) // not reached: the scheme has a name and a function
	}
	return &sharing{gate: gate, computing: make(chan struct{}, maxComputing), answers: map[answerKey]*sharedAnswer{}}
}

// middleware runs before the typed handler checks the token, so it checks the token itself. If the
// token is not valid, the middleware passes the request to the handler, which refuses it.
func (s *sharing) middleware(next http.Handler) http.Handler {
	compressed, err := middleware.CompressConfig{MinLength: compressFrom, Codings: []middleware.Coding{{
		Name: "gzip", New: func() middleware.Compressor { return gzip.NewWriter(nil) },
	}}}.Handler(next)
	if err != nil {
		panic(err) // not reached: there is no Skipper, and the coding is valid
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := s.gate.Admit(http.Header{}, r); err != nil {
			next.ServeHTTP(w, r)
			return
		}
		a, isNew := s.find(r)
		if a == nil {
			w.Header().Set("Retry-After", "1")
			api.WriteError(w, r, api.NewProblem(http.StatusServiceUnavailable, "Too many slow clients are reading different pages. Send this again."))
			return
		}
		defer s.release(a)
		if isNew {
			s.compute(a, compressed, r)
		}
		select {
		case <-a.done:
			a.send(w)
		case <-r.Context().Done():
		}
	})
}

// find returns the answer to a request, and whether the caller has to compute it. The answer is nil
// if no memory is left for a new answer. If it is not nil, the caller must call release.
func (s *sharing) find(r *http.Request) (a *sharedAnswer, isNew bool) {
	key := answerKey(sha256.Sum256(fmt.Appendf(nil, "%s %q %q %q %q", r.Method, r.URL.Path, r.URL.RawQuery, r.Header["Accept"], r.Header["Accept-Encoding"])))
	s.mu.Lock()
	defer s.mu.Unlock()
	a = s.answers[key]
	if a == nil || !a.at.IsZero() && time.Since(a.at) > sharedFor && s.hasRoom() {
		if a != nil {
			s.drop(a)
		}
		if !s.hasRoom() {
			return nil, false
		}
		a, isNew = &sharedAnswer{key: key, done: make(chan struct{}), header: http.Header{}}, true
		s.answers[key] = a
	} // without room for a new answer, an old answer is better than none
	a.waiting++
	return a, isNew
}

// hasRoom reports whether another answer may be computed. If necessary, it drops all answers that no
// request uses. s.mu must be held.
func (s *sharing) hasRoom() bool {
	if s.size < maxShared {
		return true
	}
	for _, a := range s.answers {
		if a.waiting == 0 {
			s.drop(a)
		}
	}
	return s.size < maxShared
}

// drop removes an answer from the map, so that no further request gets it. s.mu must be held.
func (s *sharing) drop(a *sharedAnswer) {
	if s.answers[a.key] == a {
		delete(s.answers, a.key)
		if a.waiting == 0 {
			s.size -= a.size
		}
	}
}

// release ends the use of an answer by one request.
func (s *sharing) release(a *sharedAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.waiting--
	switch {
	case a.waiting > 0:
	case s.answers[a.key] != a:
		s.size -= a.size
	case time.Since(a.at) > sharedFor:
		s.drop(a)
	}
}

// compute runs the handler, which writes the answer. It does not stop if the client of r
// disconnects, since other clients may wait for the answer.
func (s *sharing) compute(a *sharedAnswer, h http.Handler, r *http.Request) {
	defer func() {
		if a.status == 0 { // the handler has panicked
			a.status = http.StatusInternalServerError
		}
		s.mu.Lock()
		a.at, a.size = time.Now(), len(a.body)+answerSize
		s.size += a.size
		if a.status == http.StatusOK {
			time.AfterFunc(sharedFor, func() { s.expire(a) })
		} else {
			s.drop(a) // only requests that are waiting already get this answer
		}
		s.mu.Unlock()
		close(a.done)
	}()
	select {
	case s.computing <- struct{}{}:
		defer func() { <-s.computing }()
		h.ServeHTTP(a, r.WithContext(context.WithoutCancel(r.Context())))
	case <-time.After(queryTimeout):
		api.WriteError(a, r, api.NewProblem(http.StatusServiceUnavailable, "Too many different pages are requested. Send this again."))
	}
}

// expire drops an answer that no request uses. An answer that is in use is dropped by release, or
// by find when it is replaced.
func (s *sharing) expire(a *sharedAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.waiting == 0 {
		s.drop(a)
	}
}

func (a *sharedAnswer) Header() http.Header { return a.header }

func (a *sharedAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *sharedAnswer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// send sends the answer. The slices of the header are copied, since middleware may append to them.
func (a *sharedAnswer) send(w http.ResponseWriter) {
	for name, values := range a.header {
		w.Header()[name] = slices.Clone(values)
	}
	if a.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // an error means that the client has disconnected
}
