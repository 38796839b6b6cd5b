package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

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
