package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const clockAhead = "The times of all readings are in the future. Send them again when the clocks agree."

// batchSize is the reason for refusing a batch that has no readings, or too many.
var batchSize = fmt.Sprintf("must have 1 to %d elements", telemetry.MaxBatch)

// otherHosts is the reason for refusing a reading of a host that the token does not cover.
const otherHosts = "is not a host of the token"

type postOutput struct {
	Status int               `status:"200,202" doc:"200 if the readings are on disk, 202 if the broker has them on its disk."`
	Body   telemetry.Receipt `body:""`
}

// post stores the valid readings of a batch. It responds when they are on disk.
func (h *handlers) post(ctx context.Context, in *telemetry.Post) (*postOutput, error) {
	batch := &in.Batch
	if n := len(batch.Readings); n == 0 || n > telemetry.MaxBatch {
		return nil, refuse(api.FieldProblem{In: "body", Name: ".readings", Detail: batchSize})
	}
	valid, refused := h.separate(ctx, batch.Readings)
	h.Metrics.posted("refused", len(refused))
	if len(valid) == 0 {
		if i := slices.IndexFunc(refused, func(r telemetry.Refusal) bool { return r.Later }); i >= 0 {
			// The host is valid and covered by the token. The overview shows that its clock is ahead.
			n := refused[i].Index
			h.Agents.note(batch.Readings[n:n+1], in)
		}
		return nil, refuseAll(refused)
	}
	readings, refusal, err := h.admit(ctx, valid)
	if err != nil {
		return nil, h.problem(err)
	}
	if len(readings) == 0 {
		return nil, refusal
	}
	h.Agents.note(readings, in)
	h.Metrics.waiting.Inc()
	got, err := h.Queue.Put(ctx, readings)
	h.Metrics.waiting.Dec()
	if err != nil {
		return nil, h.problem(err)
	}
	h.Metrics.posted("stored", got.Stored)
	h.Metrics.posted("repeated", got.Repeated)
	h.Metrics.posted("queued", got.Queued)
	if refusal != nil {
		return nil, refusal
	}
	status := http.StatusOK
	if got.Queued > 0 {
		status = http.StatusAccepted
	}
	return &postOutput{status, telemetry.Receipt{Stored: got.Stored, Repeated: got.Repeated, Queued: got.Queued, Refused: refused, Watched: h.Live.Watched()}}, nil
}

// separate returns the readings that can be stored, with their times in UTC, and the first fault of
// each other reading. It overwrites the slice.
func (h *handlers) separate(ctx context.Context, readings []telemetry.Reading) (valid []telemetry.Reading, refused []telemetry.Refusal) {
	now, oldest := time.Now(), time.Time{}
	if h.Keep.Retention > 0 {
		oldest = h.Store.Now().Add(-h.Keep.Retention)
	}
	token := h.token(ctx)
	valid = readings[:0]
	for i := range readings {
		r := &readings[i]
		r.At = r.At.UTC()
		fault := telemetry.Refusal{Index: i}
		if token != nil && !token.Covers(r.Host) {
			fault.Field, fault.Reason = ".host", otherHosts
		} else if fault.Field, fault.Reason = r.Fault(ctx, oldest); fault.Field == "" {
			if fault.Reason = r.Ahead(now); fault.Reason == "" {
				valid = append(valid, *r)
				continue
			}
			fault.Field, fault.Later = ".at", true
		}
		refused = append(refused, fault)
	}
	return valid, refused
}

// refuseAll returns the problem document for a batch that has no valid reading. The status is 409 if a reading
// may be accepted later, and 403 if the token is for other hosts. After these two statuses an agent
// keeps its readings.
func refuseAll(refused []telemetry.Refusal) error {
	p := refuse()
	for _, r := range refused {
		switch {
		case r.Later:
			p = api.NewProblem(http.StatusConflict, clockAhead)
		case r.Reason == otherHosts && p.Status != http.StatusConflict:
			p = api.NewProblem(http.StatusForbidden, "The token is for readings of other hosts.")
		}
	}
	for _, r := range refused {
		p.Errors = append(p.Errors, api.FieldProblem{In: "body", Name: fmt.Sprintf(".readings[%d]%s", r.Index, r.Field), Detail: r.Reason})
	}
	return p
}
