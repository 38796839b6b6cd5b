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
		var places []string
		for len(batch) < telemetry.MaxBatch && err == nil {
			var r telemetry.Reading
			var place string
			if place, err = next(&r); err == nil {
				r.At = r.At.UTC()
				batch, places = append(batch, r), append(places, place)
			} else if bad := (*BadError)(nil); skip && errors.As(err, &bad) {
				a.Bad++
				err = nil
			}
		}
		good := batch[:0]
		for i, r := range batch {
			if why := fault(ctx, &r); why == "" {
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

// fault returns the reason why a server would not store a reading, or "".
func fault(ctx context.Context, r *telemetry.Reading) string {
	if field, reason := r.Fault(ctx, time.Time{}); field != "" {
		return field + " " + reason
	}
	if reason := r.Ahead(time.Now()); reason != "" {
		return ".at " + reason
	}
	return ""
}
