package web

import (
	"fmt"
	"strings"
)

// NewVirtualHostHandler returns an Echo that passes each request to the Echo of its host. A key
// is a host as in the Host header, with its port. Case and a dot at the end of a name are
// ignored. NewVirtualHostHandler panics if two keys with different Echos are then equal. Requests to
// other hosts are answered by the returned Echo itself.
func NewVirtualHostHandler(vhosts map[string]*Echo) *Echo {
	e := New()
	e.hosts = make(map[string]*Echo, len(vhosts))
	for name, host := range vhosts {
		key := hostKey(name)
		if other := e.hosts[key]; other != nil && other != host {
			panic(fmt.Errorf("web: %q is the name of two virtual hosts", key))
		}
		e.hosts[key] = host
	}
	return e
}

// hostKey returns a host in lower case, without the dot that ends a full name (RFC
// 9110, section 4.2.3; RFC 3986, section 3.2.2).
func hostKey(host string) string {
	host = strings.ToLower(host)
	if i := strings.LastIndexByte(host, ':'); i > 0 && host[i-1] == '.' {
		return host[:i-1] + host[i:]
	}
	return strings.TrimSuffix(host, ".")
}
