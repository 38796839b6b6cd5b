package server

import (
	"context"

	"github.com/hone-go/hone/examples/pulse/store"
)

// shownChanges is the number of changes in an answer.
const shownChanges = 100

type alertsOutput struct {
	Firing  []store.Alert       `json:"firing"`  // in the order of hosts and rules
	Changes []store.AlertChange `json:"changes"` // the last hundred, the newest first
}

// alerts returns which rules hold for which hosts, and what has changed.
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
	out.Firing, out.Changes = append(out.Firing, firing...), append(out.Changes, changes...)
	return out, nil
}
