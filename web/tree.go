package web

import (
	"encoding/binary"
	"slices"
	"strings"
)

// The routes form a radix tree. A node stands for the literal bytes of its
// prefix, for one parameter, or for the rest of a path; its children are tried
// in the order literal, parameter, any, and a failed child is backed out of.
// Each node is tried at most once for a path, so a lookup takes at most time
// linear in the tree, whatever the path.
type node struct {
	prefix string // literal nodes only; never empty except at the root
	// first holds the first bytes of prefix, up to eight, as wordAt reads them,
	// and mask has ones where they are.
	first, mask uint64
	// table holds the literal children, each at the low bits of its first byte.
	// It is the shortest power of two in which they have a place each.
	table []*node
	param *node
	rest  *leaf // of a pattern that ends in '*' here
	leaf  *leaf // of a pattern that ends here
	// tail is set on a parameter that nothing follows in any pattern: it takes
	// the rest of the path, slashes and all.
	tail bool
}

// A leaf holds the routes of one path, by method.
type leaf struct {
	byMethod [methodCount]*endpoint
	others   map[string]*endpoint // methods without an index
	path     string               // of the pattern
	allow    any                  // the Allow list, a string; boxed once so that Context.Set need not
	header   []string             // the same, as the value of a header
	rest     bool                 // the path ends in '*'
	stop     *endpoint            // the RouteNotFound route, where it keeps requests from less specific routes
}

// An endpoint is one registered route, ready to run.
type endpoint struct {
	handler HandlerFunc
	onHead  HandlerFunc // of a GET route: what answers HEAD; nil if it does not
	info    RouteInfo   // as a Context sees it
	listed  RouteInfo   // as it was registered, perhaps without the leading '/'
	parts   []part
	auto404 bool // registered by a Group for its middleware, not by the user
	typed   bool
	missing bool // of RouteNotFound
}

// Indices of the methods that a leaf finds without a map.
const (
	methodOther = iota
	methodConnect
	methodDelete
	methodGet
	methodHead
	methodOptions
	methodPatch
	methodPost
	methodPropfind
	methodPut
	methodQuery
	methodReport
	methodTrace
	methodAny      // [RouteAny]
	methodNotFound // [RouteNotFound]
	methodCount
)

var methodNames = [methodCount]string{
	methodConnect: "CONNECT", methodDelete: "DELETE", methodGet: "GET", methodHead: "HEAD",
	methodOptions: "OPTIONS", methodPatch: "PATCH", methodPost: "POST", methodPropfind: PROPFIND,
	methodPut: "PUT", methodQuery: QUERY, methodReport: REPORT, methodTrace: "TRACE",
}

func methodIndex(method string) int {
	switch method {
	case "GET":
		return methodGet
	case "POST":
		return methodPost
	case "PUT":
		return methodPut
	case "DELETE":
		return methodDelete
	case "PATCH":
		return methodPatch
	case "HEAD":
		return methodHead
	case "OPTIONS":
		return methodOptions
	case "CONNECT":
		return methodConnect
	case "TRACE":
		return methodTrace
	case PROPFIND:
		return methodPropfind
	case REPORT:
		return methodReport
	case QUERY:
		return methodQuery
	}
	return methodOther
}

// slotOf is the index of what a route is registered for: a method, [RouteAny] or
// [RouteNotFound]. That of a request is methodIndex, which knows no such names.
func slotOf(method string) int {
	switch method {
	case RouteAny:
		return methodAny
	case RouteNotFound:
		return methodNotFound
	}
	return methodIndex(method)
}

// set stores the route for a method and renders the Allow list anew.
func (l *leaf) set(method string, ep *endpoint) {
	if i := slotOf(method); i != methodOther {
		l.byMethod[i] = ep
	} else {
		if l.others == nil {
			l.others = make(map[string]*endpoint)
		}
		l.others[method] = ep
	}
	l.path = ep.info.Path
	l.allow, l.header, l.stop = nil, nil, nil
	methods := l.methods(nil)
	if l.rest || l.byMethod[methodAny] == nil && len(methods) == 0 {
		l.stop = l.byMethod[methodNotFound]
	}
	if len(methods) > 0 {
		allow := renderAllow(methods)
		l.allow, l.header = allow, []string{allow}
	}
}

// methods appends the methods that the leaf answers, without duplicates.
func (l *leaf) methods(dst []string) []string {
	add := func(m string) {
		if !slices.Contains(dst, m) {
			dst = append(dst, m)
		}
	}
	for i, ep := range l.byMethod[:methodAny] {
		if ep != nil {
			add(methodNames[i])
		}
	}
	if ep := l.byMethod[methodGet]; ep != nil && ep.onHead != nil {
		add("HEAD")
	}
	for m := range l.others {
		add(m)
	}
	return dst
}

// renderAllow makes the value of an Allow header. OPTIONS is always allowed,
// since the router answers it itself where no route does.
func renderAllow(methods []string) string {
	slices.Sort(methods)
	var b strings.Builder
	b.WriteString("OPTIONS")
	for _, m := range methods {
		if m != "OPTIONS" {
			b.WriteString(", ")
			b.WriteString(m)
		}
	}
	return b.String()
}

// insert returns the leaf for a pattern, growing the tree where it must. The
// root stands for the slash that every pattern begins with.
func (n *node) insert(parts []part) *leaf {
	for i, p := range parts {
		n.tail = false
		switch p.kind {
		case literalPart:
			n = n.insertLiteral(p.below(i))
		case paramPart:
			if n.param == nil {
				n.param = &node{tail: true}
			}
			n = n.param
		case anyPart:
			if n.rest == nil {
				n.rest = &leaf{rest: true}
			}
			return n.rest
		}
	}
	if n.leaf == nil {
		n.leaf = &leaf{}
	}
	return n.leaf
}

// lookUp returns the leaf of a pattern, or nil.
func (n *node) lookUp(parts []part) *leaf {
	for i, p := range parts {
		switch p.kind {
		case literalPart:
			for text := p.below(i); text != ""; text = text[len(n.prefix):] {
				if n = n.child(uint64(text[0])); n == nil || !strings.HasPrefix(text, n.prefix) {
					return nil
				}
			}
		case paramPart:
			if n = n.param; n == nil {
				return nil
			}
		case anyPart:
			return n.rest
		}
	}
	return n.leaf
}

// below is the text of a pattern's part i, without the slash of the root.
func (p part) below(i int) string {
	if i == 0 {
		return p.text[1:]
	}
	return p.text
}

// endTail makes the parameter that ends a pattern stop at a slash.
func (n *node) endTail(parts []part) {
	for i, p := range parts {
		switch p.kind {
		case literalPart:
			for text := p.below(i); text != ""; {
				n = n.child(uint64(text[0]))
				text = text[len(n.prefix):]
			}
		case paramPart:
			n = n.param
		}
	}
	n.tail = false
}

func (n *node) insertLiteral(text string) *node {
	for text != "" {
		child := n.child(uint64(text[0]))
		if child == nil || child.prefix[0] != text[0] {
			child = &node{}
			child.setPrefix(text)
			n.adopt(child)
			return child
		}
		common := commonPrefix(child.prefix, text)
		if common < len(child.prefix) {
			lower := *child
			lower.setPrefix(child.prefix[common:])
			*child = node{}
			child.setPrefix(text[:common])
			child.adopt(&lower)
		}
		n, text = child, text[common:]
	}
	return n
}

func (n *node) setPrefix(text string) {
	n.prefix = text
	n.first, n.mask = wordAt(text, 0), ^uint64(0)
	if len(text) < 8 {
		n.mask = 1<<(8*len(text)) - 1
	}
}

// adopt adds a literal child whose first byte no other has.
func (n *node) adopt(child *node) {
	children := []*node{child}
	if size := len(n.table); size > 0 {
		if place := &n.table[int(child.prefix[0])&(size-1)]; *place == nil {
			*place = child
			return
		}
		for _, c := range n.table {
			if c != nil {
				children = append(children, c)
			}
		}
	}
	for size := max(1, 2*len(n.table)); !n.tabulate(children, size); size *= 2 {
	}
}

// tabulate makes the table of a size, unless two children fall into one place.
func (n *node) tabulate(children []*node, size int) bool {
	table := make([]*node, size)
	for _, c := range children {
		place := &table[int(c.prefix[0])&(size-1)]
		if *place != nil {
			return false
		}
		*place = c
	}
	n.table = table
	return true
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// A lookup carries what one search for a route has found so far.
type lookup struct {
	index  int    // of the method, or methodNotFound
	method string // with methodOther
	n      int    // parameters so far; cut back on backing out
	values []PathValue
	leaves []*leaf // that the path matches, but not the method
}

func (l *leaf) accept(s *lookup) *endpoint {
	if ep := l.byMethod[s.index]; ep != nil {
		return ep
	}
	return l.instead(s)
}

// instead is what answers a method that has no route of its own. As in Echo, a
// RouteNotFound route of "/admin/*", which a Group has for its middleware, goes
// before any route of "/*".
func (l *leaf) instead(s *lookup) *endpoint {
	switch s.index {
	case methodNotFound:
		return nil
	case methodOther:
		if ep := l.others[s.method]; ep != nil {
			return ep
		}
	case methodHead:
		if ep := l.byMethod[methodGet]; ep != nil && ep.onHead != nil {
			return ep
		}
	}
	if ep := l.byMethod[methodAny]; ep != nil {
		return ep
	}
	s.leaves = append(s.leaves, l)
	return l.stop
}

// route searches the tree below the root.
func (n *node) route(path string, s *lookup) *endpoint {
	if !strings.HasPrefix(path, "/") {
		return nil
	}
	return n.find(path, 1, s)
}

// find searches below n, whose own bytes have been matched, for path[at:]. It
// calls itself only where there is something to back out to, and nothing else
// for prefixes of up to eight bytes, which it compares as one word.
func (n *node) find(path string, at int, s *lookup) *endpoint {
	for at < len(path) {
		depth := s.n
		word := wordAt(path, at)
		if child := n.child(word); child != nil && (word^child.first)&child.mask == 0 && len(child.prefix) <= len(path)-at &&
			(len(child.prefix) <= 8 || path[at+8:at+len(child.prefix)] == child.prefix[8:]) {
			next := at + len(child.prefix)
			if n.param == nil && n.rest == nil {
				n, at = child, next
				continue
			}
			if ep := child.find(path, next, s); ep != nil {
				return ep
			}
			s.n = depth
		}
		if n.param == nil {
			break
		}
		end := len(path)
		if !n.param.tail {
			for end = at; end < len(path) && path[end] != '/'; end++ {
			}
		}
		s.values[s.n].Value = path[at:end]
		s.n++
		if n.rest == nil {
			n, at = n.param, end
			continue
		}
		if ep := n.param.find(path, end, s); ep != nil {
			return ep
		}
		s.n = depth
		break
	}
	if at == len(path) && n.leaf != nil {
		if ep := n.leaf.accept(s); ep != nil {
			return ep
		}
	}
	if n.rest == nil {
		return nil
	}
	s.values[s.n].Value = path[at:]
	s.n++
	if ep := n.rest.accept(s); ep != nil {
		return ep
	}
	s.n--
	return nil
}

// child returns the literal child that begins with the lowest byte of word, if
// there is one. If there is none, it returns nil or another child.
func (n *node) child(word uint64) *node {
	if len(n.table) == 0 {
		return nil
	}
	return n.table[int(word)&(len(n.table)-1)]
}

// wordAt returns s[at:at+8] as a number, the first byte lowest, and zeros for
// what is beyond the end of s.
func wordAt(s string, at int) (word uint64) {
	switch {
	case at <= len(s)-8:
		word = binary.LittleEndian.Uint64([]byte(s[at:]))
	case len(s) >= 8:
		word = binary.LittleEndian.Uint64([]byte(s[len(s)-8:])) >> (uint(at-len(s)) * 8 & 63)
	default:
		for i := len(s) - 1; i >= at; i-- {
			word = word<<8 | uint64(s[i])
		}
	}
	return word
}
