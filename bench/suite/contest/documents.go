package contest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// A documentMeter times the work with each of several documents.
type documentMeter struct {
	documents []*documentLoop // nil for documents that fail
	working   int             // the number of documents that do not fail
	failed    map[string]string
	yardstick *yardstick
	garbage   collector
	collected float64 // the total nanoseconds of all collections
	room      float64 // the total bytes that could be allocated between them
}

// A documentLoop is the work with one document.
type documentLoop struct {
	run func(n int)
	ns  float64 // the estimated time of one iteration
}

// newDocumentMeter prepares the work with all documents. It fails if none of them works.
func newDocumentMeter(names []string, who Contestant, y *yardstick) (*documentMeter, error) {
	m := &documentMeter{yardstick: y, documents: make([]*documentLoop, len(names))}
	var errs []error
	for i, name := range names {
		run, err := prepareDocument(who, i)
		if err != nil {
			if m.failed == nil {
				m.failed = map[string]string{}
			}
			m.failed[name] = err.Error()
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		m.documents[i] = &documentLoop{run: run}
		m.working++
	}
	if m.working == 0 {
		return nil, errors.Join(errs...)
	}
	return m, nil
}

func prepareDocument(who Contestant, i int) (run func(n int), err error) {
	defer recovered(&err)
	return who.Prepare(i)
}

// sample times each document for its part of d, but does the work at least once. If the core was not quiet just before
// and after the work with a document, the work is repeated, unless the time for waiting is over.
//
// A collection would fall to the document that happens to be measured. So the collector runs between the documents, and
// each document is charged the mean time of the collections for the bytes that it allocates.
func (m *documentMeter) sample(d time.Duration) (s Sample, err error) {
	defer recovered(&err)
	m.collect()
	defer m.garbage.leave()
	s.Documents, s.Failed = make([]float64, len(m.documents)), m.failed
	part := d / time.Duration(m.working)
	end := time.Now().Add(mostWaiting * d)
	slowed, sum := 0, 0.0
	before := m.yardstick.await(end)
	for i, l := range m.documents {
		if l == nil {
			continue
		}
		for {
			one, n := l.measure(part)
			m.garbage.since += one.Bytes * float64(n)
			if m.garbage.since > m.garbage.room {
				m.collect()
			}
			after := m.yardstick.quiet()
			if quiet := before && after; quiet || time.Now().After(end) {
				if !quiet {
					slowed++
				}
				s.Documents[i] = one.Value + one.Bytes*m.collected/m.room
				sum += math.Log(s.Documents[i])
				s.Allocs += one.Allocs / float64(m.working)
				s.Bytes += one.Bytes / float64(m.working)
				before = after
				break
			}
			before = after || m.yardstick.await(end)
		}
	}
	s.Value = math.Exp(sum / float64(m.working))
	s.Slowed = 10*slowed > m.working || m.yardstick.factor == 0
	return s, nil
}

func (m *documentMeter) collect() {
	m.collected += float64(m.garbage.collect().Nanoseconds())
	m.room += m.garbage.room
}

// pieces is the number of pieces of the time of a document.
const pieces = 3

// measure runs the loop for about d, in pieces unless one iteration is too long. It returns the piece with the median
// time, since another program may run during one of them, and the number of iterations.
func (l *documentLoop) measure(d time.Duration) (Sample, int) {
	one, n := l.part(d / pieces)
	if pieces*l.ns > float64(d) {
		return one, n
	}
	all := []Sample{one}
	for range pieces - 1 {
		next, more := l.part(d / pieces)
		all, n = append(all, next), n+more
	}
	slices.SortFunc(all, func(x, y Sample) int { return cmp.Compare(x.Value, y.Value) })
	return all[pieces/2], n
}

// part runs the loop for about d.
func (l *documentLoop) part(d time.Duration) (Sample, int) {
	m := meter{run: l.run, ns: l.ns}
	s, n := m.part(d)
	l.ns = m.ns
	return s, n
}
