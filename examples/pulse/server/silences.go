package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
)

type silencesOutput struct {
	Silences []store.Silence `json:"silences"` // the silences that last, and the maintenance windows that last, sorted by their ends
}

func (h *handlers) silences(ctx context.Context, _ *struct{}) (*silencesOutput, error) {
	list, err := h.Store.Silences(ctx)
	list = append(list, h.Rules.Silences(time.Now())...)
	slices.SortStableFunc(list, func(a, b store.Silence) int { return a.Until.Compare(b.Until) })
	return &silencesOutput{append([]store.Silence{}, list...)}, err
}

type newSilence struct {
	Hosts  string `json:"hosts" required:"false" doc:"A pattern such as web-*; all hosts if it is empty."`
	Tag    string `json:"tag" required:"false" doc:"A pattern that a tag of the host must match; empty for hosts with any tags."`
	Rule   string `json:"rule" required:"false" doc:"A metric such as silent, or the text of a rule; all rules if it is empty."`
	For    string `json:"for" doc:"The duration of the silence, such as 2h."`
	Reason string `json:"reason"`
}

type addSilenceInput struct {
	Body newSilence `body:""`
}

type silenceOutput struct {
	Status int           `status:"201"`
	Body   store.Silence `body:""`
}

func (h *handlers) addSilence(ctx context.Context, in *addSilenceInput) (*silenceOutput, error) {
	now := time.Now()
	d, err := time.ParseDuration(in.Body.For)
	if err != nil {
		return nil, refuse(api.FieldProblem{In: "body", Name: ".for", Detail: "must be a duration such as 2h"})
	}
	s := store.Silence{
		ID: rand.Text(), Hosts: cmp.Or(in.Body.Hosts, "*"), Tag: in.Body.Tag, Rule: in.Body.Rule,
		Until: now.Add(d).UTC().Truncate(time.Millisecond), Reason: in.Body.Reason, Who: h.tokenName(ctx), Created: now.UTC().Truncate(time.Millisecond),
	}
	if fault := cmp.Or(s.Fault(now), watch.SilenceFault(s.Rule)); fault != "" {
		return nil, refuse(api.FieldProblem{In: "body", Detail: fault})
	}
	return &silenceOutput{http.StatusCreated, s}, h.Store.AddSilence(ctx, s)
}

type silenceInput struct {
	ID string `path:"id"`
}

func (h *handlers) endSilence(ctx context.Context, in *silenceInput) (*struct{}, error) {
	err := h.Store.EndSilence(ctx, in.ID)
	if errors.Is(err, store.ErrUnknownSilence) {
		err = api.NewProblem(http.StatusNotFound, fmt.Sprintf("No silence with the id %q lasts.", in.ID))
	}
	return nil, err
}
