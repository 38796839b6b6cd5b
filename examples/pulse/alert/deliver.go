package alert

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/hone-go/hone/examples/pulse/store"
)

// deliver sends all due reports to a target.
func (w *watcher) deliver(ctx context.Context, target string) error {
	s, _ := w.current()
	for ctx.Err() == nil {
		due, err := s.ClaimDeliveries(ctx, target, atOnce, time.Now().Add(claimFor))
		// Even if ctx ends, the reports that were claimed are sent and confirmed, so that a restart
		// does not repeat them.
		var sending sync.WaitGroup
		for _, d := range due {
			sending.Go(func() { w.attempt(ctx, s, d) })
		}
		sending.Wait()
		if err != nil || len(due) == 0 {
			return err
		}
	}
	return nil
}

// attempt sends one report, and stores the result in s.
func (w *watcher) attempt(ctx context.Context, s store.Store, d store.Delivery) {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopTimeout, cancel) })()
	target, report := w.targets[d.Target], w.report(&d)
	var err error
	if !w.isSent(d.Target, report) {
		if err = target.Send(sending, report); w.Delivered != nil {
			w.Delivered(d.Target, err)
		}
	}
	storing, cancelStoring := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancelStoring()
	if err == nil {
		err = s.FinishDelivery(storing, d, target.Repeat)
		if err != nil {
			w.noteSent(d.Target, report)
			w.logRarely("a report of an alert will be repeated", err)
		}
		return
	}
	w.logRarely("a report of an alert was not accepted, and will be repeated", err, "target", d.Target, "rule", d.Rule)
	expired, err := s.RepeatDelivery(storing, d, time.Now().Add(waitAfter(d.Tries)), target.Repeat)
	switch {
	case err != nil:
		w.logRarely("a report of an alert will be repeated later", err)
	case expired:
		w.Log.Error("a report of an alert was not accepted for a day, and is given up", "target", d.Target, "rule", d.Rule)
	}
}

// waitAfter returns the time from a failed attempt until the next one. tries is the number of earlier
// attempts. The time doubles with each attempt, up to lastWait.
func waitAfter(tries int) time.Duration {
	backoff := retry.WithCappedDuration(lastWait, retry.NewExponential(firstWait))
	for range min(tries, 16) {
		_, _ = backoff.Next()
	}
	wait, _ := backoff.Next()
	return wait
}

// report returns the report of a delivery. It lists at most maxListed hosts.
func (w *watcher) report(d *store.Delivery) *Report {
	r := &Report{
		Key: "pulse-" + d.ID, State: "firing", Rule: d.Rule, Level: d.Level, At: d.At, Since: d.Since, Repeat: d.Tries > 0,
		Number: d.Number + 1, Count: len(d.Alerts), Hosts: []string{}, Over: len(d.Recovered), Recovered: append([]string{}, d.Recovered[:min(maxListed, len(d.Recovered))]...),
	}
	if !d.Firing {
		r.State, r.At = "over", d.Ended
	}
	for _, a := range d.Alerts {
		if len(r.Hosts) < maxListed {
			r.Hosts = append(r.Hosts, a.Host)
		}
		if a.Since.UnixMilli() > 0 && a.Since.Before(r.Since) { // it was silenced before the incident began
			r.Since = a.Since
		}
	}
	if len(d.Alerts) > 0 {
		r.Host = d.Alerts[0].Host
	}
	if len(d.Alerts) == 1 {
		r.Value, r.Unit, r.Part = d.Alerts[0].Value, d.Alerts[0].Unit, d.Alerts[0].Part
	}
	if strings.HasPrefix(d.ID, "old-") { // an older version has stored the alert without an id
		r.Key = fmt.Sprintf("pulse-%.16x", sha256.Sum256([]byte(r.Host+"\n"+d.Rule)))
	}
	if w.Page != "" {
		r.Link = w.Page + "/"
		if r.Count == 1 {
			r.Link += "?" + url.Values{"host": {r.Host}}.Encode()
		}
	}
	return r
}
