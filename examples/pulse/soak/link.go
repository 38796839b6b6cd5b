package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

// A link is a TCP proxy: it listens on a loopback address and connects to another address. The
// function disturb makes it slow, resets its connections, or stops all transfers.
type link struct {
	listener net.Listener
	to       string
	state    atomic.Int32
}

// These are the states of a link.
const (
	clear     int32 = iota
	slow            // each kilobyte takes 50 ms more
	resetting       // connections are reset after some kilobytes
	cut             // nothing passes, and no connection ends
)

func newLink(to string) (*link, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &link{listener: listener, to: to}
	go l.accept()
	return l, nil
}

func (l *link) address() string { return l.listener.Addr().String() }

// disturb changes the state of links. The returned function changes it back.
func disturb(state int32, links ...*link) (repair func() error) {
	for _, l := range links {
		l.state.Store(state)
	}
	return func() error {
		for _, l := range links {
			l.state.Store(clear)
		}
		return nil
	}
}

func (l *link) accept() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return // the link was closed
		}
		go func() {
			l.wait()
			out, err := net.Dial("tcp", l.to)
			if err != nil {
				in.Close()
				return
			}
			go l.carry(in, out)
			l.carry(out, in)
		}()
	}
}

// wait waits while the link is in the state cut.
func (l *link) wait() {
	for l.state.Load() == cut {
		time.Sleep(10 * time.Millisecond)
	}
}

// carry copies bytes until one of the two connections ends. Then it ends the other one too.
func (l *link) carry(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 1024)
	for {
		n, err := from.Read(buf)
		l.wait()
		switch l.state.Load() {
		case slow:
			time.Sleep(50 * time.Millisecond)
		case resetting:
			if rand.IntN(8) == 0 {
				_ = to.(*net.TCPConn).SetLinger(0)
				_ = from.(*net.TCPConn).SetLinger(0)
				return
			}
		}
		if _, failed := to.Write(buf[:n]); failed != nil || err != nil && !errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			return
		}
	}
}
