package web

import "errors"

// Routes is a list of route descriptions.
type Routes []RouteInfo

// Clone returns a deep copy.
func (r Routes) Clone() Routes {
	c := make(Routes, len(r))
	for i := range r {
		c[i] = r[i].Clone()
	}
	return c
}

// The texts of these errors are Echo's.
var (
	errNoRouteForMethodPath = errors.New("route not found by method and path")
	errNoRouteForMethod     = errors.New("route not found by method")
	errNoRouteForPath       = errors.New("route not found by path")
	errNoRouteForName       = errors.New("route not found by name")
)

// Reverse builds the path of the named route; see [RouteInfo.Reverse]. It returns an
// error if there is no such route.
func (r Routes) Reverse(routeName string, pathValues ...any) (string, error) {
	for i := range r {
		if r[i].Name == routeName {
			return r[i].Reverse(pathValues...), nil
		}
	}
	return "", errors.New("route not found")
}

// FindByMethodPath returns the first route with the given method and path, or an error if
// there is none.
func (r Routes) FindByMethodPath(method string, path string) (RouteInfo, error) {
	for i := range r {
		if r[i].Method == method && r[i].Path == path {
			return r[i], nil
		}
	}
	return RouteInfo{}, errNoRouteForMethodPath
}

// FilterByMethod returns the routes with the given method, or an error if there are none.
func (r Routes) FilterByMethod(method string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Method == method }, errNoRouteForMethod)
}

// FilterByPath returns the routes with the given path, or an error if there are none.
func (r Routes) FilterByPath(path string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Path == path }, errNoRouteForPath)
}

// FilterByName returns the routes with the given name, or an error if there are none.
func (r Routes) FilterByName(name string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Name == name }, errNoRouteForName)
}

// filter returns the routes to keep, or the error missing if there are none.
func (r Routes) filter(keep func(RouteInfo) bool, missing error) (Routes, error) {
	var kept Routes
	for _, ri := range r {
		if keep(ri) {
			kept = append(kept, ri)
		}
	}
	if kept == nil {
		return nil, missing
	}
	return kept, nil
}
