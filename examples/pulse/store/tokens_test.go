package store

import (
	"errors"
	"testing"
)

func TestTokens(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		want := Token{Name: "web", Right: MayPost, Hosts: "web-*,db-?", Created: t0, Owner: OwnerOf("secret")}
		if err := s.AddToken(t.Context(), want, "secret"); err != nil {
			t.Fatal(err)
		}
		if err := s.AddToken(t.Context(), Token{Name: "web", Created: t0}, "other"); err == nil {
			t.Error("a name was given twice")
		}
		got, err := s.FindToken(t.Context(), "secret")
		if err != nil || got != want {
			t.Errorf("found %+v (%v), want %+v", got, err, want)
		}
		for host, covered := range map[string]bool{"web-1": true, "db-1": true, "db-10": false, "my-web-1": false} {
			if want.Covers(host) != covered {
				t.Errorf("%s is covered: %v", host, !covered)
			}
		}
		if list, err := s.Tokens(t.Context()); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("list %+v (%v)", list, err)
		}
		if err := s.RemoveToken(t.Context(), "web"); err != nil {
			t.Error(err)
		}
		if _, err := s.FindToken(t.Context(), "secret"); !errors.Is(err, ErrUnknownToken) {
			t.Errorf("a removed token: %v", err)
		}
		if err := s.RemoveToken(t.Context(), "web"); !errors.Is(err, ErrUnknownToken) {
			t.Errorf("removed twice: %v", err)
		}
	})
}
