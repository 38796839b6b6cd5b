package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	defaultLimit = 100 // readings on a page

	// queryTimeout bounds the time of one query of the database.
	queryTimeout = 10 * time.Second

	// maxBody is more than the size of a batch from a large machine. It also limits the memory that
	// a hostile body takes before its readings are counted: an empty reading is three bytes of
	// JSON.
	maxBody = 1 << 20
)

// handlers has the typed handlers. Package api decodes the input struct from the request, checks it
// against the limits in its tags, and encodes the output struct in the format that the client
// accepts: JSON or the binary format.
type handlers struct {
	Options
	full   throttledLog // logs that the disk is full
	away   throttledLog // logs that the database or the broker cannot be reached
	busy   throttledLog // logs that posts are refused because of overload
	health health
	writer *security.Scheme // the scheme of the tokens for posting; nil if there are none
	admin  *security.Scheme
}

// query returns a handler that calls q with a limited time, and converts the errors of q to
// problems.
func query[In, Out any](h *handlers, q func(context.Context, *In) (*Out, error)) func(context.Context, *In) (*Out, error) {
	return func(ctx context.Context, in *In) (*Out, error) {
		ctx, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		out, err := q(ctx, in)
		return out, h.problem(err)
	}
}

type hostInput struct {
	Host string `path:"host"`
}

// host returns the newest reading of one host.
func (h *handlers) host(ctx context.Context, in *hostInput) (*telemetry.Reading, error) {
	reading := new(telemetry.Reading)
	err := onHost(in.Host, func() (err error) {
		*reading, err = h.Store.Latest(ctx, in.Host)
		return err
	})
	return reading, err
}

// onHost calls use if name is a valid host name. Otherwise the host is unknown. The database is not
// queried for it, because a database may not accept every string. An unknown host is answered with
// 404.
func onHost(name string, use func() error) error {
	err := store.ErrUnknownHost
	if telemetry.HostFault(name) == "" {
		err = use()
	}
	if errors.Is(err, store.ErrUnknownHost) {
		return api.NewProblem(http.StatusNotFound, fmt.Sprintf("No readings of a host named %q are stored.", name))
	}
	return err
}

// hostInQuery refuses invalid host names, since not every database accepts every string.
func hostInQuery(host string) error {
	if fault := telemetry.HostFault(host); fault != "" {
		return refuse(api.FieldProblem{In: "query", Name: "host", Detail: fault})
	}
	return nil
}

// refuse returns the error for values that satisfy the limits in the tags, but cannot be used.
func refuse(wrong ...api.FieldProblem) *api.Problem {
	p := api.NewProblem(http.StatusUnprocessableEntity, "the request has values that are not allowed")
	p.Errors = wrong
	return p
}
