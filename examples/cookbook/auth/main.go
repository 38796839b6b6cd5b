// Command auth protects handlers by bearer tokens. A token has rights, and a handler may require a
// right. The API document shows which handlers need a token.
//
//	curl -H 'Authorization: Bearer reader-token' http://127.0.0.1:8080/v1/me
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"log"
	"net/http"
	"slices"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/web"
)

type User struct {
	Name   string   `json:"name"`
	Rights []string `json:"rights"`
}

// tokens has the hashes of tokens, so that nobody can use a token after reading the table. A look-up by the hash
// takes the same time for every wrong token.
type tokens map[[32]byte]User

func (t tokens) user(_ context.Context, token string) (User, error) {
	u, ok := t[sha256.Sum256([]byte(token))]
	if !ok {
		return User{}, errors.New("unknown token")
	}
	return u, nil
}

// schemeFor returns a scheme that admits only users with the right, and answers 403 to the others.
func (t tokens) schemeFor(right string) *security.Scheme {
	return security.Bearer("token", func(ctx context.Context, token string) (User, error) {
		u, err := t.user(ctx, token)
		if err == nil && !slices.Contains(u.Rights, right) {
			return User{}, api.NewProblem(http.StatusForbidden, "needs the right to "+right)
		}
		return u, err
	})
}

type secretIn struct {
	Body struct {
		Text string `json:"text" length:"1..100"`
	} `body:""`
}

type secret struct {
	Text string `json:"text"`
	By   string `json:"by"`
}

func handler(known tokens) (*web.Echo, *api.API) {
	e := web.New()
	a := api.New(e)
	anyone := security.Bearer("token", known.user)
	writer := known.schemeFor("write")

	a.Defaults.Security = []security.Requirement{anyone.With()}
	api.Handle(a, "GET /v1/me", func(ctx context.Context, _ *struct{}) (*User, error) {
		u, _ := api.Value[User](ctx, anyone)
		return &u, nil
	})
	api.Handle(a, "POST /v1/secrets", func(ctx context.Context, in *secretIn) (*secret, error) {
		u, _ := api.Value[User](ctx, writer)
		return &secret{in.Body.Text, u.Name}, nil
	}, api.Operation{Status: http.StatusCreated, Security: []security.Requirement{writer.With()}})
	api.Handle(a, "GET /v1/health", func(context.Context, *struct{}) (*struct{}, error) {
		return nil, nil
	}, api.Operation{Security: []security.Requirement{}}) // admits everybody
	if err := openapi.Serve(a, openapi.Config{Title: "Secrets"}); err != nil {
		log.Fatal(err)
	}
	return e, a
}

func main() {
	e, _ := handler(tokens{
		sha256.Sum256([]byte("reader-token")): {"ann", []string{"read"}},
		sha256.Sum256([]byte("writer-token")): {"bob", []string{"read", "write"}},
	})
	if err := e.Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
