package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const tooManyHosts = "Readings of new hosts were refused, because the server has the maximum number of hosts."

// maxListed is the maximum number of readings that a refusal lists.
const maxListed = 100

// admit returns the readings of hosts within the limits. refusal is the problem for the readings of
// all other hosts, or nil if there are none. Its status is 403, after which an agent keeps its
// readings and posts them again later. The post succeeds when the limit has been raised. err is an
// error of the store.
func (h *handlers) admit(ctx context.Context, readings []telemetry.Reading) (admitted []telemetry.Reading, refusal, err error) {
	owner := anyone
	if token := h.token(ctx); token != nil {
		owner = token.Owner
	}
	hosts := make([]string, len(readings))
	for i := range readings {
		hosts[i] = readings[i].Host
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	err = h.Store.Admit(ctx, owner, hosts)
	var exceeded *store.HostLimitError
	if !errors.As(err, &exceeded) {
		return readings, nil, err
	}
	refused := map[string]bool{}
	for _, host := range exceeded.Hosts {
		refused[host] = true
	}
	var wrong []api.FieldProblem
	for i := range readings {
		if !refused[readings[i].Host] {
			admitted = append(admitted, readings[i])
		} else if len(wrong) < maxListed {
			wrong = append(wrong, api.FieldProblem{In: "body", Name: fmt.Sprintf(".readings[%d].host", i), Detail: "is a new host beyond the limit"})
		}
	}
	h.Metrics.posted("refused", len(readings)-len(admitted))
	scope, flag := "in all", "-max-hosts"
	if exceeded.PerToken {
		scope, flag = "for each token", "-max-hosts-per-token"
	}
	detail := fmt.Sprintf("%s The limit is %d hosts %s; start pulse with a larger %s to raise it. Readings refused: %d of %d. The others were accepted.",
		tooManyHosts, exceeded.Limit, scope, flag, len(readings)-len(admitted), len(readings))
	p := api.NewProblem(http.StatusForbidden, detail)
	p.Errors = wrong
	return admitted, p, nil
}

// token returns the token with which a batch is posted, or nil if none is needed.
func (h *handlers) token(ctx context.Context) *store.Token {
	if h.writer == nil {
		return nil
	}
	token, _ := api.Value[store.Token](ctx, h.writer)
	return &token
}
