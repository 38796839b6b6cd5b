package server

import (
	"context"
	"net/http"

	"github.com/hone-go/hone/api"
)

type rulesOutput struct {
	Rules       []string `json:"rules"`       // the texts of the rules
	Maintenance []string `json:"maintenance"` // the texts of the maintenance windows
}

// rules returns the rules by which this server judges hosts, and its maintenance windows.
func (h *handlers) rules(context.Context, *struct{}) (*rulesOutput, error) {
	out := &rulesOutput{Rules: []string{}, Maintenance: []string{}}
	for _, r := range h.Rules.List() {
		out.Rules = append(out.Rules, r.String())
	}
	for _, m := range h.Rules.Maintenance() {
		out.Maintenance = append(out.Maintenance, m.String())
	}
	return out, nil
}

// reloadRules reads the file of the rules again. A file with a mistake changes nothing.
func (h *handlers) reloadRules(ctx context.Context, in *struct{}) (*rulesOutput, error) {
	if h.Rules != nil {
		if err := h.Rules.Reload(); err != nil {
			return nil, api.NewProblem(http.StatusUnprocessableEntity, "The rules stay as they are: "+err.Error())
		}
	}
	return h.rules(ctx, in)
}
