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
	"github.com/hone-go/hone/mo"
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
	agents directory
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

type readingsInput struct {
	Host   mo.Option[string]    `query:"host"`
	Metric mo.Option[string]    `query:"metric" enum:"cpu,load,memory,swap,uptime,disks,networks,temperatures" doc:"Only readings that have it."`
	From   mo.Option[time.Time] `query:"from" doc:"At or after."`
	To     mo.Option[time.Time] `query:"to" doc:"Before."`
	Limit  mo.Option[int]       `query:"limit" min:"1" max:"1000" doc:"100 by default."`
	Cursor mo.Option[string]    `query:"cursor" doc:"The next of the page before."`
}

type readingsOutput struct {
	Readings []telemetry.Reading `json:"readings"` // in the order of time, then host
	Next     mo.Option[string]   `json:"next"`     // the cursor of the next page; null on the last one
}

func (h *handlers) readings(ctx context.Context, in *readingsInput) (*readingsOutput, error) {
	if from, ok := in.From.Get(); ok {
		if to, ok := in.To.Get(); ok && to.Before(from) {
			return nil, refuse(api.FieldProblem{In: "query", Name: "to", Detail: "is before from"})
		}
	}
	if host, ok := in.Host.Get(); ok {
		if err := hostInQuery(host); err != nil {
			return nil, err
		}
	}
	readings, next, err := h.Store.Readings(ctx, store.Query{
		Host: in.Host, Metric: in.Metric, From: in.From, To: in.To, Cursor: in.Cursor, Limit: in.Limit.OrElse(defaultLimit),
	})
	return &readingsOutput{readings, next}, err
}

type hostsInput struct {
	Limit  int               `query:"limit" min:"1" max:"10000" default:"10000"`
	Cursor mo.Option[string] `query:"cursor" doc:"The next of the page before."`
}

func (in *hostsInput) query() store.HostQuery {
	return store.HostQuery{Cursor: in.Cursor, Limit: in.Limit}
}

type hostsOutput struct {
	Hosts []store.Host      `json:"hosts"` // in the order of their names
	Next  mo.Option[string] `json:"next"`  // the cursor of the next page; null on the last one
}

func (h *handlers) hosts(ctx context.Context, in *hostsInput) (*hostsOutput, error) {
	hosts, next, err := h.Store.Hosts(ctx, in.query())
	return &hostsOutput{hosts, next}, err
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
