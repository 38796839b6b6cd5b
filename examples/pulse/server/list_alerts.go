package server

import (
	"context"
	"slices"

	"github.com/hone-go/hone/examples/pulse/store"
)

const (
	shownAlerts  = 1000 // the maximum number of alerts in an answer
	shownChanges = 100
)

type alertsOutput struct {
	Total     int                 `json:"total"`     // the number of alerts
	Firing    []store.Alert       `json:"firing"`    // the first thousand, in the order of hosts and rules
	Incidents []store.Incident    `json:"incidents"` // the first thousand incidents that last, in the order of their beginnings
	Changes   []store.AlertChange `json:"changes"`   // the last hundred, the newest first
	Targets   []store.TargetState `json:"targets"`   // the targets of this server, each with the deliveries of all servers
}

// alerts returns the rules that hold, each with its host, the incidents that they are part of, the last
// changes, and the state of the targets. The
// lists of rules and changes have a maximum length.
func (h *handlers) alerts(ctx context.Context, _ *struct{}) (*alertsOutput, error) {
	firing, err := h.Store.Alerts(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := h.Store.AlertChanges(ctx, shownChanges)
	if err != nil {
		return nil, err
	}
	incidents, err := h.Store.Incidents(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := h.Store.Targets(ctx)
	targets := []store.TargetState{}
	for _, name := range h.Targets {
		state := store.TargetState{Name: name}
		if i := slices.IndexFunc(stored, func(s store.TargetState) bool { return s.Name == name }); i >= 0 {
			state = stored[i]
		}
		targets = append(targets, state)
	}
	return &alertsOutput{
		Total:     len(firing),
		Firing:    append([]store.Alert{}, firing[:min(len(firing), shownAlerts)]...),
		Incidents: append([]store.Incident{}, incidents[:min(len(incidents), shownAlerts)]...),
		Changes:   append([]store.AlertChange{}, changes...),
		Targets:   targets,
	}, err
}
