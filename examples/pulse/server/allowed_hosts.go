package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

// allowHosts is middleware that refuses requests for host names that are not the server's. The owner
// of a foreign page can make its host name resolve to this machine's address (DNS rebinding). The
// browser would then let the page read the response. But such a request has the foreign host name, so
// the middleware refuses it.
func (a Access) allowHosts(next web.HandlerFunc) web.HandlerFunc {
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
