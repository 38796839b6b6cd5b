package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
)

const hostExists = "A host with the new name exists."

// problem converts an error of the store or the queue to the problem document for the client.
func (h *handlers) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrBadCursor):
		return refuse(api.FieldProblem{In: "query", Name: "cursor", Detail: "is not a cursor of this server"})
	case errors.Is(err, store.ErrHostExists):
		return api.NewProblem(http.StatusConflict, hostExists)
	case errors.Is(err, store.ErrFull):
		// Every agent gets this response every second. It does not contain the error, which would
		// be logged each time.
		h.full.error("the disk is full: readings are refused", err)
		return api.NewProblem(http.StatusInsufficientStorage, "The server's disk is full. Send this again later.")
	case errors.Is(err, store.ErrUnavailable):
		h.away.error("the database cannot be reached", err)
		return api.NewProblem(http.StatusServiceUnavailable, "The server cannot reach its database. Send this again.")
	case errors.Is(err, queue.ErrUnavailable):
		h.away.error("the broker cannot be reached: readings are refused", err)
		return api.NewProblem(http.StatusServiceUnavailable, "The server cannot reach its broker. Send this again.")
	case errors.Is(err, queue.ErrTooLarge):
		return api.NewProblem(http.StatusRequestEntityTooLarge, "A reading is larger than the broker's maximum message.").Wrap(err)
	case errors.Is(err, queue.ErrBusy):
		h.busy.error("readings are refused: too many batches are waiting", err)
		return api.NewProblem(http.StatusServiceUnavailable, "Too many batches are waiting to be stored. Send this one again.")
	case errors.Is(err, queue.ErrClosed):
		return api.NewProblem(http.StatusServiceUnavailable, "The server is shutting down. Send this again.")
	case errors.Is(err, context.DeadlineExceeded):
		h.busy.error("a query took too long", err)
		return api.NewProblem(http.StatusServiceUnavailable, "The query took too long. Request a shorter span of time.")
	}
	return err
}
