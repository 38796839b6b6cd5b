package main

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/server"
	"github.com/hone-go/hone/examples/pulse/store"
)

// accessFlags are the flags about access to pulse, and about the verification of servers by agents.
type accessFlags struct {
	read, write          string
	moreWrite            []string // the tokens in writeFile except the first one, which is the value of write
	readFile, writeFile  string
	hosts                string
	cert, key, authority string
}

func (f *accessFlags) add(set *flag.FlagSet) {
	const other = "; -%[1]s-token-file or PULSE_%[2]s_TOKEN keep it out of the list of processes"
	set.StringVar(&f.read, "read-token", "", fmt.Sprintf("answer only requests with this `token`, also for the page"+other, "read", "READ"))
	set.StringVar(&f.readFile, "read-token-file", "", "read that token from this `file`")
	set.StringVar(&f.write, "write-token", "", fmt.Sprintf("accept readings only with this `token`; an agent sends it"+other, "write", "WRITE"))
	set.StringVar(&f.writeFile, "write-token-file", "", "read that token from this `file`; a server accepts each line of it as a token")
	set.StringVar(&f.hosts, "allow-host", "", "also answer to these host `names`, separated by commas, such as monitor.example;\naddresses, localhost and the machine's name are always allowed. * means every name")
	set.StringVar(&f.cert, "tls-cert", "", "serve HTTPS with the certificate in this PEM `file`, which is read again after a change")
	set.StringVar(&f.key, "tls-key", "", "the certificate's key, a PEM `file`")
	set.StringVar(&f.authority, "tls-ca", "", "an agent also trusts servers whose certificate was signed by the certificate in this\nPEM `file`")
}

// check reads the tokens from their files or from the environment. It returns a message if the flags
// cannot be used, and otherwise "".
func (f *accessFlags) check() string {
	for _, t := range []struct {
		token      *string
		file, name string
	}{{&f.read, f.readFile, "read"}, {&f.write, f.writeFile, "write"}} {
		switch {
		case *t.token != "" && t.file != "":
			return fmt.Sprintf("only one of -%[1]s-token and -%[1]s-token-file may be set", t.name)
		case t.file != "":
			text, err := os.ReadFile(t.file)
			if err != nil {
				return fmt.Sprintf("-%s-token-file: %v", t.name, err)
			}
			tokens := strings.FieldsFunc(strings.TrimSpace(string(text)), func(r rune) bool { return r == '\n' || r == '\r' })
			if len(tokens) == 0 {
				return fmt.Sprintf("-%s-token-file: %s is empty", t.name, t.file)
			}
			*t.token = tokens[0]
			if t.name == "write" {
				f.moreWrite = tokens[1:]
			} else if len(tokens) > 1 {
				return fmt.Sprintf("-%s-token-file: %s has more than one line", t.name, t.file)
			}
		case *t.token == "":
			*t.token = os.Getenv("PULSE_" + strings.ToUpper(t.name) + "_TOKEN")
		}
		if strings.ContainsFunc(*t.token+strings.Join(f.moreWrite, ""), func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Sprintf("the token for %sing has characters that are not allowed in a header", strings.TrimSuffix(t.name, "e"))
		}
	}
	if (f.cert == "") != (f.key == "") {
		return "-tls-cert and -tls-key must be set together"
	}
	for _, name := range f.hostNames() {
		if strings.ContainsAny(name, ":/") {
			return fmt.Sprintf("-allow-host %q is not a host name: omit http:// and the port; addresses are always allowed", name)
		}
	}
	return ""
}

// access returns the access rules. tokens are the tokens in the database. If a token in the database
// is for posting, but no flag sets a token for posting, access makes a token for the agent of this
// process.
func (f *accessFlags) access(tokens []store.Token) server.Access {
	a := server.Access{ReadToken: f.read, Hosts: f.hostNames()}
	for _, t := range tokens {
		a.StoredRead = a.StoredRead || t.Right == store.MayRead
		a.StoredPost = a.StoredPost || t.Right == store.MayPost
	}
	if a.StoredPost && f.write == "" {
		f.write = rand.Text()
	}
	a.WriteTokens = append([]string{f.write}, f.moreWrite...)
	return a
}

func (f *accessFlags) hostNames() []string {
	return strings.FieldsFunc(f.hosts, func(r rune) bool { return r == ',' || r == ' ' })
}

// warn logs a warning if the server is reachable from the network without a token.
func (f *accessFlags) warn(log *slog.Logger, listener net.Listener) {
	if a, ok := listener.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() && (f.read == "" || f.write == "") {
		log.Warn("everybody who can reach this address may read, post, or both: see -read-token and -write-token", "address", a.String())
	}
}

// A certificate is the server's certificate. It is read again when its file has
// changed, so that renewing it needs no restart.
type certificate struct {
	certFile, keyFile string

	mu      sync.Mutex
	pair    *tls.Certificate
	changed time.Time
}

// get returns the certificate in the files. If the files have changed but cannot be read, get returns
// the certificate that it read earlier, or an error if there is no earlier one.
func (c *certificate) get() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	info, err := os.Stat(c.certFile)
	if err == nil && info.ModTime().Equal(c.changed) {
		return c.pair, nil
	}
	if err == nil {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile); err == nil {
			c.pair, c.changed = &pair, info.ModTime()
		}
	}
	if c.pair != nil {
		return c.pair, nil // the renewal is incomplete: keep the old certificate
	}
	return nil, err
}

// serverTLS returns the TLS configurations of the server and of this process's own agent, which
// accepts the certificate even if it is for other names. Without -tls-cert both are nil.
func (f *accessFlags) serverTLS() (secure, own *tls.Config, err error) {
	if f.cert == "" {
		return nil, nil, nil
	}
	c := &certificate{certFile: f.cert, keyFile: f.key}
	if _, err := c.get(); err != nil {
		return nil, nil, fmt.Errorf("-tls-cert: %w", err)
	}
	own = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		pair, err := c.get()
		if err == nil && !bytes.Equal(s.PeerCertificates[0].Raw, pair.Certificate[0]) {
			err = errors.New("the response is from another server")
		}
		return err
	}}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get() },
	}, own, nil
}

// agentTLS returns the TLS configuration of an agent that runs alone. It is nil without -tls-ca: the
// agent then trusts the certificates of the system.
func (f *accessFlags) agentTLS() (*tls.Config, error) {
	if f.authority == "" {
		return nil, nil
	}
	text, err := os.ReadFile(f.authority)
	if err != nil {
		return nil, fmt.Errorf("-tls-ca: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("-tls-ca: %s has no certificate in PEM", f.authority)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}, nil
}
