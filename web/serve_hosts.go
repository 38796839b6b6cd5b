package web

// NewVirtualHostHandler returns an Echo that hands each request to the Echo of
// its host, named as in the Host header with its port. Requests to other hosts
// it answers itself.
func NewVirtualHostHandler(vhosts map[string]*Echo) *Echo {
	e := New()
	e.hosts = vhosts
	return e
}
