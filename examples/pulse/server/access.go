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
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/web"
)

// Access determines who may read and write, and the host names of the server. The zero value lets
// everybody read and write.
type Access struct {
	ReadToken  string   // the token that a request must have to read; "" means none
	WriteToken string   // the same to post
	Hosts      []string // names besides the machine's own; "*" means all
}

// errToken is not shown to clients, whose response is a challenge.
var errToken = errors.New("not the token")

// bearer returns the security requirement of an operation with this token. Without a token there is
// no requirement.
func bearer(name, description, token string) []security.Requirement {
	if token == "" {
		return []security.Requirement{}
	}
	same := equals(token)
	scheme := security.Bearer(name, func(_ context.Context, got string) (struct{}, error) {
		if !same(got) {
			return struct{}{}, errToken
		}
		return struct{}{}, nil
	})
	scheme.Description = description
	return []security.Requirement{scheme.With()}
}

// equals returns a function that compares a secret with token in constant time.
func equals(token string) func(string) bool {
	want := sha256.Sum256([]byte(token))
	return func(got string) bool {
		sum := sha256.Sum256([]byte(got))
		return subtle.ConstantTimeCompare(sum[:], want[:]) == 1
	}
}

// mayRead requires the token for reading on routes that are not typed handlers.
func (a Access) mayRead(next web.HandlerFunc) web.HandlerFunc {
	gate, err := security.NewGate(bearer("read", "", a.ReadToken)...)
	if err != nil {
		panic(err) // the scheme has a name and a function
	}
	return func(c *web.Context) error {
		if _, err := gate.Admit(c.Response().Header(), c.Request()); err != nil {
			return api.NewProblem(http.StatusUnauthorized, "This needs the token for reading.").Wrap(err)
		}
		return next(c)
	}
}

// known refuses requests for host names that are not the server's. A foreign page can make its own
// host name resolve to this machine's address (DNS rebinding), and the browser would let it read
// the response; but the request has that host name.
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
			fmt.Sprintf("This pulse is not known as %q. If it is, start it with -allow-host %s.", name, name))
	}
}
