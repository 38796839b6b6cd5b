package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/examples/pulse/store"
)

// Access determines who may read and write, and the host names under which the server answers. With
// the zero value everybody may read and write. The tokens of the database are accepted too.
type Access struct {
	ReadToken   string   // a token for reading; "" means none
	WriteTokens []string // tokens for posting, for all hosts; empty ones do not count
	StoredRead  bool     // the database has tokens for reading
	StoredPost  bool     // the database has tokens for posting
	Hosts       []string // host names besides the machine's own name; "*" means all
}

// errToken is the error for a request without a valid token. Clients do not get its text: their
// response is a challenge.
var errToken = errors.New("the token is wrong or missing")

// bearer returns the security requirement of an operation. A request needs one of the tokens from
// the flags, or a token in the database with one of the rights. The list of requirements is empty
// if the flags have no token and stored is false: then the operation needs no token. The value of
// the scheme is a [store.Token].
func bearer(name, description string, s store.Store, stored bool, rights []store.Right, tokens ...string) []security.Requirement {
	var all []secret
	for _, token := range tokens {
		if token != "" {
			all = append(all, secret{sha256.Sum256([]byte(token)), store.Token{Hosts: "*", Owner: store.OwnerOf(token)}})
		}
	}
	if len(all) == 0 && !stored {
		return []security.Requirement{}
	}
	scheme := security.Bearer(name, func(ctx context.Context, got string) (token store.Token, err error) {
		sum, err := sha256.Sum256([]byte(got)), errToken
		for i := range all { // compare with all tokens, so that the time reveals nothing
			if subtle.ConstantTimeCompare(sum[:], all[i].sum[:]) == 1 {
				token, err = all[i].token, nil
			}
		}
		if err == nil {
			return token, nil
		}
		ctx, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		token, err = s.FindToken(ctx, got)
		switch {
		case errors.Is(err, store.ErrUnknownToken) || err == nil && !slices.Contains(rights, token.Right):
			return token, errToken
		case err != nil:
			return token, api.NewProblem(http.StatusServiceUnavailable, "The server cannot check the token. Send this again.").Wrap(err)
		}
		return token, nil
	})
	scheme.Description = description
	return []security.Requirement{scheme.With()}
}

// A secret is a token of the flags.
type secret struct {
	sum   [sha256.Size]byte
	token store.Token
}

// anyone is the owner of a host if its first reading was posted without a token.
const anyone store.Owner = 1
