//go:build unix

package cost

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A server is a real server on the loopback interface.
type server struct {
	t    testing.TB
	addr string
}

func serve(t testing.TB, h http.Handler) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	s := &http.Server{Handler: h, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(func() { _ = s.Close() })
	return &server{t, listener.Addr().String()}
}

// send sends the bytes of a request and returns the status of the response. It allocates little, because
// the client runs in the measured process.
func (s *server) send(request []byte) (status int) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		s.t.Fatal(err)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = conn.Write(request) // fails if the server refuses the request before its end
	}()
	answer := bufio.NewReaderSize(conn, 4096)
	if _, err := fmt.Fscanf(answer, "HTTP/1.1 %d", &status); err != nil {
		s.t.Fatalf("no response: %v", err)
	}
	_, _ = io.Copy(io.Discard, answer)
	_ = conn.Close()
	<-sent
	return status
}

// cpu returns the CPU time of the process for a request, including the time of the client. It collects
// the garbage of earlier requests first, and returns the shortest of three times.
func (s *server) cpu(request []byte) (shortest time.Duration) {
	s.t.Helper()
	for range 3 {
		runtime.GC()
		before := processTime(s.t)
		s.send(request)
		if spent := processTime(s.t) - before; shortest == 0 || spent < shortest {
			shortest = spent
		}
		if shortest > 5*time.Second {
			break
		}
	}
	return shortest
}

// peak returns the maximum by which the memory increases while a request is handled, in bytes. The
// garbage collector runs often, so that the maximum contains little garbage.
func (s *server) peak(request []byte) (bytes, status int) {
	s.t.Helper()
	bytes = peakOf(func() { status = s.send(request) })
	return bytes, status
}

func peakOf(f func()) int {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	runtime.GC() // empties the pools
	base := memory()
	highest.Store(base)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(100 * time.Microsecond); ; {
			select {
			case <-tick.C:
				sample()
			case <-stop:
				tick.Stop()
				return
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return int(highest.Load() - base)
}

var highest atomic.Uint64

// sample updates the peak. Handlers call it too, while they hold the decoded value.
func sample() {
	now := memory()
	for old := highest.Load(); now > old && !highest.CompareAndSwap(old, now); old = highest.Load() {
	}
}

// memory returns the bytes of all objects in the heap and of all stacks.
func memory() (n uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() + samples[1].Value.Uint64()
}

func processTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// filled returns a text of at most size bytes: head, then as many units as fit, then tail. If unit
// contains the verb %d, it is replaced by the number of the unit.
func filled(size int, head, unit, tail string) []byte {
	b := append(make([]byte, 0, size), head...)
	numbered := bytes.Contains([]byte(unit), []byte("%d"))
	for i := 0; ; i++ {
		next := unit
		if numbered {
			next = fmt.Sprintf(unit, i)
		}
		if len(b)+len(next)+len(tail) > size {
			return append(b, tail...)
		}
		b = append(b, next...)
	}
}

// request returns a request with a body.
func request(path, contentType string, body []byte, header ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n", path, contentType, len(body))
	for _, line := range header {
		b.WriteString(line + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// get returns a request without a body. Lines are additional lines of its header.
func get(target, lines string) []byte {
	return []byte("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + lines + "\r\n")
}
