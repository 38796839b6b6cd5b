package web

import (
	"fmt"
	"net/http"
)

// ManyRoutes returns an API of n routes, ten for each collection.
func ManyRoutes(n int) []Route {
	var all []Route
	for i := 0; len(all) < n; i++ {
		base := fmt.Sprintf("/v1/collection%d", i)
		all = append(all, []Route{
			{http.MethodGet, base}, {http.MethodPost, base}, {http.MethodGet, base + "/:id"}, {http.MethodPut, base + "/:id"}, {http.MethodDelete, base + "/:id"},
			{http.MethodGet, base + "/:id/parts"}, {http.MethodPost, base + "/:id/parts"}, {http.MethodGet, base + "/:id/parts/:part"},
			{http.MethodPut, base + "/:id/parts/:part"}, {http.MethodGet, base + "/:id/files/*path"},
		}...)
	}
	return all[:n]
}
