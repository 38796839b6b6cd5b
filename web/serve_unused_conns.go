package web

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// unusedGrace is the time that a connection without any received data may stay open when the server
// drains. This is long enough to receive a request that is already on its way.
const unusedGrace = 250 * time.Millisecond

// unusedConns are the connections that have not sent anything yet. Browsers open
// such connections in advance, and http.Server.Shutdown waits five seconds for
// each.
type unusedConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// watch records the server's new connections. It calls the existing ConnState hook too.
func (s *unusedConns) watch(server *http.Server) {
	s.conns = map[net.Conn]struct{}{}
	before := server.ConnState
	server.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		if state == http.StateNew {
			s.conns[c] = struct{}{}
		} else {
			delete(s.conns, c)
		}
		s.mu.Unlock()
		if before != nil {
			before(c, state)
		}
	}
}

// close closes all recorded connections.
func (s *unusedConns) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}
