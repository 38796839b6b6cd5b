package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/web"
)

// Access determines who may read and write, and the host names of the server. With the zero value
// everybody may read and write. The tokens of the database are accepted too.
type Access struct {
	ReadToken   string   // a token for reading; "" means none
	WriteTokens []string // tokens for posting, for all hosts; empty ones do not count
	StoredRead  bool     // the database has tokens for reading
	StoredPost  bool     // the database has tokens for posting
	Hosts       []string // other names than the machine's own; "*" means all
}

// errToken is the error for a request without a valid token. Clients do not get its text: their
// response is a challenge.
var errToken = errors.New("the token is wrong or missing")

// bearer returns the security requirement of an operation. A request needs one of the tokens from
// the flags, or a token in the database with one of the rights. The list of requirements is empty
// if the flags have no token and stored is false: then the operation needs no token. The value of
// the scheme is a [store.Token].
func bearer(name, description string, s store.Store, stored bool, rights []store.Right, tokens ...string) []security.Requirement {
	var all []secret
	for _, token := range tokens {
		if token != "" {
			all = append(all, secret{sha256.Sum256([]byte(token)), store.Token{Hosts: "*", Owner: store.OwnerOf(token)}})
		}
	}
	if len(all) == 0 && !stored {
		return []security.Requirement{}
	}
	scheme := security.Bearer(name, func(ctx context.Context, got string) (token store.Token, err error) {
		sum, err := sha256.Sum256([]byte(got)), errToken
		for i := range all { // compare with all tokens, so that the time reveals nothing
			if subtle.ConstantTimeCompare(sum[:], all[i].sum[:]) == 1 {
				token, err = all[i].token, nil
			}
		}
		if err == nil {
			return token, nil
		}
		ctx, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		token, err = s.FindToken(ctx, got)
		switch {
		case errors.Is(err, store.ErrUnknownToken) || err == nil && !slices.Contains(rights, token.Right):
			return token, errToken
		case err != nil:
			return token, api.NewProblem(http.StatusServiceUnavailable, "The server cannot check the token. Send this again.").Wrap(err)
		}
		return token, nil
	})
	scheme.Description = description
	return []security.Requirement{scheme.With()}
}

// A secret is a token of the flags.
type secret struct {
	sum   [sha256.Size]byte
	token store.Token
}

// anyone is the owner of hosts whose readings were posted without a token.
const anyone store.Owner = 1

// known is middleware that refuses requests for host names that are not the server's. The owner of
// a foreign page can make its host name resolve to this machine's address (DNS rebinding). The
// browser would then let the page read the response. But the request has the foreign host name, and
// is refused.
func (a Access) known(next web.HandlerFunc) web.HandlerFunc {
	names := map[string]bool{"": true, "localhost": true} // HTTP/1.0 needs no name
	if own, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(own, ".")
		for _, name := range []string{own, short, short + ".local"} {
			names[strings.ToLower(name)] = true
		}
	}
	for _, name := range a.Hosts {
		names[strings.ToLower(strings.TrimSuffix(name, "."))] = true
	}
	return func(c *web.Context) error {
		name := c.Request().Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		name = strings.ToLower(strings.TrimSuffix(name, "."))
		if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || names[name] || names["*"] || strings.HasSuffix(name, ".localhost") {
			return next(c)
		}
		return api.NewProblem(http.StatusMisdirectedRequest,
			fmt.Sprintf("This pulse does not have the host name %q. To allow it, start pulse with -allow-host %s.", name, name))
	}
}
