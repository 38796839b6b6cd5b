package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// An Account counts the results for the readings of a file.
type Account struct {
	Stored, Repeated, Bad int
}

func (a Account) String() string {
	return fmt.Sprintf("%d readings stored, %d stored before, %d invalid", a.Stored, a.Repeated, a.Bad)
}

// Import stores the readings of a file with w, and returns their account. A reading is invalid if a
// server would not store it. The first invalid reading ends the import with a [*BadError], after all
// readings before it are stored. If skip is set, invalid readings are counted and skipped instead.
// progress is called after each transaction.
func Import(ctx context.Context, w queue.Writer, next Reader, skip bool, progress func(Account)) (a Account, err error) {
	for err == nil {
		var batch []telemetry.Reading
		for len(batch) < telemetry.MaxBatch && err == nil {
			var r telemetry.Reading
			var place string
			if place, err = next(&r); err == nil {
				r.At = r.At.UTC()
				err = check(ctx, &r, place)
			}
			if err == nil {
				batch = append(batch, r)
			} else if skip && errors.As(err, new(*BadError)) {
				a.Bad++
				err = nil
			}
		}
		if len(batch) == 0 {
			continue
		}
		fresh, failed := w.Write(ctx, [][]telemetry.Reading{batch})
		if failed != nil {
			return a, failed
		}
		a.Stored += len(fresh[0])
		a.Repeated += len(batch) - len(fresh[0])
		progress(a)
	}
	if err == io.EOF {
		err = nil
	}
	return a, err
}

// check returns a [*BadError] for a reading that a server would not store.
func check(ctx context.Context, r *telemetry.Reading, place string) error {
	field, reason := r.Fault(ctx, time.Time{})
	if field == "" {
		field, reason = ".at", r.Ahead(time.Now())
	}
	if reason == "" {
		return nil
	}
	return &BadError{place, errors.New(field + " " + reason)}
}
