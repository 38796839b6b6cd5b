package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

const (
	defaultLimit = 100
	maxLimit     = 1000

	// queryTimeout bounds what one question may cost the database.
	queryTimeout = 10 * time.Second

	// maxBody is what an agent's batch of a large machine takes, and more. It
	// also bounds the memory that a hostile body costs before the number of its
	// readings is looked at: an empty one is three bytes of JSON.
	maxBody = 1 << 20
)

// api holds the handlers. Each is a function from a struct to a struct: the
// framework reads the one from the request and writes the other as JSON or in
// the binary format, whichever the client accepts.
type api struct {
	store     *store.Store
	retention time.Duration
}

type postOutput struct {
	Stored   int `json:"stored"`   // on disk now
	Repeated int `json:"repeated"` // were there already
}

// post stores a batch. The answer comes after it is on disk.
func (a *api) post(ctx context.Context, batch *telemetry.Batch) (*postOutput, error) {
	now, oldest := time.Now(), time.Time{}
	if a.retention > 0 {
		oldest = now.Add(-a.retention)
	}
	if err := batch.Validate(now, oldest); err != nil {
		return nil, invalid("body", err)
	}
	stored, err := a.store.Append(ctx, batch.Readings)
	if err != nil {
		return nil, problem(err)
	}
	return &postOutput{stored, len(batch.Readings) - stored}, nil
}

type readingsInput struct {
	Host   mo.Option[string]    `query:"host"`
	Metric mo.Option[string]    `query:"metric"`
	From   mo.Option[time.Time] `query:"from"` // at or after
	To     mo.Option[time.Time] `query:"to"`   // before
	Limit  mo.Option[int]       `query:"limit"`
	Cursor mo.Option[string]    `query:"cursor"`
}

type readingsOutput struct {
	Readings []telemetry.Reading `json:"readings"` // in the order of time, then host
	Next     mo.Option[string]   `json:"next"`     // the cursor of the next page; null on the last one
}

func (a *api) readings(ctx context.Context, in *readingsInput) (*readingsOutput, error) {
	limit := in.Limit.OrElse(defaultLimit)
	if limit < 1 || limit > maxLimit {
		return nil, invalidQuery("limit", "is %d; give one from 1 to %d", limit, maxLimit)
	}
	if metric, ok := in.Metric.Get(); ok && !slices.Contains(store.Metrics(), metric) {
		return nil, invalidQuery("metric", "is %q; there are %s", metric, strings.Join(store.Metrics(), ", "))
	}
	if from, ok := in.From.Get(); ok {
		if to, ok := in.To.Get(); ok && to.Before(from) {
			return nil, invalidQuery("to", "is before from")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	readings, next, err := a.store.Readings(ctx, store.Query{
		Host: in.Host, Metric: in.Metric, From: in.From, To: in.To, Cursor: in.Cursor, Limit: limit,
	})
	if errors.Is(err, store.ErrBadCursor) {
		return nil, invalidQuery("cursor", "did not come from this server")
	}
	if err != nil {
		return nil, problem(err)
	}
	return &readingsOutput{readings, next}, nil
}

type hostsInput struct{}

type hostsOutput struct {
	Hosts []store.Host `json:"hosts"`
}

func (a *api) hosts(ctx context.Context, _ *hostsInput) (*hostsOutput, error) {
	hosts, err := a.store.Hosts(ctx)
	if err != nil {
		return nil, problem(err)
	}
	return &hostsOutput{hosts}, nil
}

type hostInput struct {
	Host string `param:"host"`
}

// host answers with the newest reading of one host.
func (a *api) host(ctx context.Context, in *hostInput) (*telemetry.Reading, error) {
	reading, err := a.store.Latest(ctx, in.Host)
	if errors.Is(err, store.ErrUnknownHost) {
		return nil, web.NewProblem(http.StatusNotFound, fmt.Sprintf("No readings of a host named %q are stored.", in.Host))
	}
	if err != nil {
		return nil, problem(err)
	}
	return &reading, nil
}

type healthInput struct{}

type healthOutput struct {
	Status string `json:"status"`
}

// health reads and writes the database, as every other answer needs it to.
func (a *api) health(ctx context.Context, _ *healthInput) (*healthOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	if err := a.store.Check(ctx); err != nil {
		return nil, web.NewProblem(http.StatusServiceUnavailable, "The database does not answer.").Wrap(err)
	}
	return &healthOutput{"ok"}, nil
}

func invalidQuery(name, reason string, args ...any) error {
	return invalid("query", &telemetry.InvalidError{Path: name, Reason: fmt.Sprintf(reason, args...)})
}

// invalid is the answer to an input that cannot be used.
func invalid(in string, err error) error {
	p := web.NewProblem(http.StatusBadRequest, err.Error())
	var field *telemetry.InvalidError
	if errors.As(err, &field) {
		p.Errors = []web.FieldProblem{{In: in, Name: field.Path, Detail: field.Reason}}
	}
	return p.Wrap(err)
}
