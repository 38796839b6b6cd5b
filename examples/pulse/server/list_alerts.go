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
	firing, err := h.Store.Alerts(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := h.Store.AlertChanges(ctx, shownChanges)
	return &alertsOutput{
		Total:   len(firing),
		Firing:  append([]store.Alert{}, firing[:min(len(firing), shownAlerts)]...),
		Changes: append([]store.AlertChange{}, changes...),
	}, err
}
