package server

import (
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
)

const (
	// maxPages is the maximum number of pages of readings that are being computed or sent. While a
	// page is encoded, it takes several times its size in memory.
	maxPages = 4

	// pageWait is the time for which a request waits for its turn.
	pageWait = 2 * time.Second

	// pageSend is the maximum time of computing and sending a page. A client that reads more slowly
	// is disconnected, so that it does not keep others from reading.
	pageSend = 30 * time.Second
)

// limitPages returns the middleware that limits the pages in progress. Further requests get the
// status 503.
func limitPages(n int, wait, send time.Duration) func(http.Handler) http.Handler {
	running := make(chan struct{}, n)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case running <- struct{}{}:
				defer func() { <-running }()
			case <-timer.C:
				w.Header().Set("Retry-After", "1")
				api.WriteError(w, r, api.NewProblem(http.StatusServiceUnavailable, "The server is answering too many requests for readings at the moment. Send the request again later."))
				return
			case <-r.Context().Done():
				return
			}
			connection := http.NewResponseController(w)
			if connection.SetWriteDeadline(time.Now().Add(send)) == nil { // not every ResponseWriter has deadlines
				defer func() { _ = connection.SetWriteDeadline(time.Time{}) }() // the connection serves other requests later
			}
			next.ServeHTTP(w, r)
		})
	}
}
