package main

import (
	"crypto/rand"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

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
