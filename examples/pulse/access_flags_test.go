package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newCertificate writes a certificate and its key to files.
func newCertificate(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{key: {Type: "PRIVATE KEY", Bytes: secret}, cert: {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return pool
}

// TestTLS serves HTTPS to an agent in the same process, to an agent in another process, and to a
// stream over HTTP/2. Tokens are required. The certificate changes while the server runs.
func TestTLS(t *testing.T) {
	needSignals(t)
	dir := t.TempDir()
	cert, key, token := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "token")
	pool := newCertificate(t, cert, key, 1)
	if err := os.WriteFile(token, []byte("post-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "127.0.0.1:0", filepath.Join(dir, "pulse.db"), "-host", "here", "-interval", "100ms",
		"-tls-cert", cert, "-tls-key", key, "-read-token", "look-1", "-write-token-file", token)
	url := strings.Replace(p.url, "127.0.0.1", "localhost", 1)
	agent := launch(t, "-agent-only", "-server", url, "-host", "far", "-interval", "100ms", "-tls-ca", cert, "-write-token-file", token)

	transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 20 * time.Second}
	ask := func(path string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), "GET", url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer look-1")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	waitFor(t, func() bool {
		one, other := ask("/v1/hosts/here"), ask("/v1/hosts/far")
		one.Body.Close()
		other.Body.Close()
		return one.StatusCode == 200 && other.StatusCode == 200
	})
	live := ask("/v1/live")
	defer live.Body.Close()
	buffer := make([]byte, 64)
	for text := ""; !strings.Contains(text, "data:"); {
		n, err := live.Body.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		text += string(buffer[:n])
	}
	if live.ProtoMajor != 2 || live.StatusCode != 200 {
		t.Errorf("the stream: %s %s", live.Proto, live.Status)
	}

	newCertificate(t, cert, key, 2)
	waitFor(t, func() bool {
		connection, err := tls.Dial("tcp", strings.TrimPrefix(url, "https://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			return false // the files were read after only one of them was written
		}
		defer connection.Close()
		return connection.ConnectionState().PeerCertificates[0].SerialNumber.Int64() == 2
	})
	for _, one := range []*process{agent, p} {
		if err := one.interrupt(t); err != nil {
			t.Errorf("%v\n%s", err, one.log)
		}
		for _, secret := range []string{"look-1", "post-1"} {
			if strings.Contains(one.log.String(), secret) {
				t.Errorf("the log has the token %s", secret)
			}
		}
	}
}

func TestOpenAddress(t *testing.T) {
	needSignals(t)
	for _, test := range []struct {
		addr string
		args []string
		warn bool
	}{
		{"127.0.0.1:0", nil, false},
		{"0.0.0.0:0", nil, true},
		{"0.0.0.0:0", []string{"-write-token", "a"}, true},
		{"0.0.0.0:0", []string{"-write-token", "a", "-read-token", "b"}, false},
	} {
		p := start(t, test.addr, filepath.Join(t.TempDir(), "pulse.db"), append(test.args, "-no-agent")...)
		if err := p.interrupt(t); err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(p.log.String(), "level=WARN"); warned != test.warn {
			t.Errorf("%s %q: warned %v\n%s", test.addr, test.args, warned, p.log)
		}
	}
}
