package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// An Account counts the results for the readings of a file.
type Account struct {
	Stored, Repeated, Bad int
}

func (a Account) String() string {
	return fmt.Sprintf("%d readings stored, %d there before, %d bad", a.Stored, a.Repeated, a.Bad)
}

// Import writes the readings of a file, which must keep the limits of a server. It ends with
// the first that is not, all before it being stored, or with skip goes on. progress is
// called after each transaction.
func Import(ctx context.Context, w queue.Writer, next Reader, skip bool, progress func(Account)) (a Account, err error) {
	check := newChecker()
	for err == nil {
		var batch []telemetry.Reading
		var places []string
		for len(batch) < telemetry.MaxBatch && err == nil {
			var r telemetry.Reading
			var place string
			if place, err = next(&r); err == nil {
				batch, places = append(batch, r), append(places, place)
			} else if bad := (*BadError)(nil); skip && errors.As(err, &bad) {
				a.Bad++
				err = nil
			}
		}
		good := batch[:0]
		faults := check.faults(ctx, batch)
		for i, r := range batch {
			if why, bad := faults[i]; !bad {
				good = append(good, r)
			} else if skip {
				a.Bad++
			} else {
				err = &BadError{places[i], errors.New(why)}
				break
			}
		}
		if len(good) == 0 {
			continue
		}
		fresh, failed := w.Write(ctx, [][]telemetry.Reading{good})
		if failed != nil {
			return a, failed
		}
		a.Stored += len(fresh[0])
		a.Repeated += len(good) - len(fresh[0])
		progress(a)
	}
	if err == io.EOF {
		err = nil
	}
	return a, err
}

// A checker holds readings to the limits of their tags. They are read by package api, so
// that a handler of it is asked.
type checker struct{ mux *http.ServeMux }

func newChecker() checker {
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /{$}", func(context.Context, *telemetry.Batch) (*struct{}, error) { return nil, nil },
		api.Operation{BodyLimit: telemetry.MaxBatch * maxElement})
	return checker{mux}
}

// faults returns which readings are not as they have to be, and why.
func (c checker) faults(ctx context.Context, batch []telemetry.Reading) map[int]string {
	faults := map[int]string{}
	now := time.Now()
	for i := range batch {
		if name, reason := batch[i].Refuse(now, time.Time{}); name != "" {
			faults[i] = name + " " + reason
		}
	}
	// An answer names a hundred faults: where there are more, halves are asked about.
	for first, end := 0, len(batch); first < len(batch); first, end = end, len(batch) {
		problems := c.ask(ctx, batch[first:end])
		for len(problems) >= 100 && end-first > 1 {
			end = first + (end-first)/2
			problems = c.ask(ctx, batch[first:end])
		}
		for _, p := range problems {
			i := 0
			_, _ = fmt.Sscanf(p.Name, ".readings[%d]", &i) // one that is not about a reading stops at the first
			_, field, _ := strings.Cut(p.Name, "]")
			if faults[first+i] == "" { // what Refuse says is the better sentence
				faults[first+i] = field + " " + p.Detail
			}
		}
	}
	return faults
}

func (c checker) ask(ctx context.Context, batch []telemetry.Reading) []api.FieldProblem {
	body, err := wire.Marshal(&telemetry.Batch{Readings: batch})
	if err != nil {
		return []api.FieldProblem{{Detail: err.Error()}}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(body))
	if err != nil {
		return []api.FieldProblem{{Detail: err.Error()}}
	}
	request.Header.Set("Content-Type", api.MediaTypeWire)
	answer := &answer{header: http.Header{}}
	c.mux.ServeHTTP(answer, request)
	if answer.status < 300 {
		return nil
	}
	var problem api.Problem
	if err := json.Unmarshal(answer.body.Bytes(), &problem); err != nil || len(problem.Errors) == 0 {
		return []api.FieldProblem{{Detail: answer.body.String()}}
	}
	return problem.Errors
}

// An answer is kept in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) { a.status = status }

func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
