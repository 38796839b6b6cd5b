package web

import "sync"

// NewConcurrentRouter returns a Router that passes each call to r under a lock, so that
// routes can be added and removed while the router serves requests.
func NewConcurrentRouter(r Router) Router { return &concurrentRouter{router: r} }

type concurrentRouter struct {
	mu     sync.RWMutex
	router Router
}

func (r *concurrentRouter) Route(c *Context) HandlerFunc {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.router.Route(c)
}

func (r *concurrentRouter) Routes() Routes {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.router.Routes().Clone()
}

func (r *concurrentRouter) Add(route Route) (RouteInfo, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.router.Add(route)
}

func (r *concurrentRouter) Remove(method string, path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.router.Remove(method, path)
}
