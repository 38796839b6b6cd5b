package server

import (
	"context"

	"github.com/hone-go/hone/examples/pulse/store"
)

const (
	shownAlerts  = 1000 // the maximum number of alerts in an answer
	shownChanges = 100
)

type alertsOutput struct {
	Total   int                 `json:"total"`   // the number of alerts
	Firing  []store.Alert       `json:"firing"`  // the first thousand, in the order of hosts and rules
	Changes []store.AlertChange `json:"changes"` // the last hundred, the newest first
}

// alerts returns the rules that hold, each with its host, and the last changes. Both lists have a
// maximum length.
func (h *handlers) alerts(ctx context.Context, _ *struct{}) (*alertsOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	out := &alertsOutput{Firing: []store.Alert{}, Changes: []store.AlertChange{}}
	firing, err := h.store.Alerts(ctx)
	if err != nil {
		return nil, h.problem(err)
	}
	changes, err := h.store.AlertChanges(ctx, shownChanges)
	if err != nil {
		return nil, h.problem(err)
	}
	out.Total = len(firing)
	out.Firing, out.Changes = append(out.Firing, firing[:min(len(firing), shownAlerts)]...), append(out.Changes, changes...)
	return out, nil
}
