package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"time"
)

// A Right is the right that a token gives.
type Right string

// A token may have the right to post readings, to read, or to rename and remove hosts. An administrator may also
// read.
const (
	MayPost  Right = "post"
	MayRead  Right = "read"
	MayAdmin Right = "admin"
)

// ErrUnknownToken means that a token does not exist, or has been removed.
var ErrUnknownToken = errors.New("store: unknown token")

// A Token is a token. The database has only its hash.
type Token struct {
	Name    string
	Right   Right
	Hosts   string // patterns of package path with commas between them, for MayPost
	Created time.Time
	Owner   Owner // identifies the token for the limits on hosts
}

// Covers reports whether a token may post readings of a host.
func (t *Token) Covers(host string) bool {
	for pattern := range strings.SplitSeq(t.Hosts, ",") {
		if matched, _ := path.Match(pattern, host); matched {
			return true
		}
	}
	return false
}

// OwnerOf returns the number under which the database counts the hosts of a token. It has only 32
// bits, so the token cannot be computed from it.
func OwnerOf(token string) Owner {
	sum := sha256.Sum256([]byte("pulse owner\x00" + token))
	return 1<<32 | Owner(binary.BigEndian.Uint32(sum[:]))
}

// hashOf returns the hash of a token that is stored. Tokens are long and random, so their hashes
// need no salt.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte("pulse token\x00" + token))
	return hex.EncodeToString(sum[:])
}

// AddToken stores a new token. If another token has the name, the error says so.
func (b *base) AddToken(ctx context.Context, t Token, token string) error {
	added, err := b.exec(ctx, "INSERT INTO tokens (name, hash, may, hosts, created, owner) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
		t.Name, hashOf(token), string(t.Right), t.Hosts, t.Created.UnixMilli(), int64(OwnerOf(token)))
	if err == nil && added == 0 {
		return fmt.Errorf("a token with the name %q exists already", t.Name)
	}
	return err
}

// RemoveToken removes a token. From then on each server that can reach the database refuses the
// token; see FindToken for the others.
func (b *base) RemoveToken(ctx context.Context, name string) error {
	removed, err := b.exec(ctx, "DELETE FROM tokens WHERE name = ?", name)
	if err == nil && removed == 0 {
		return fmt.Errorf("%w %q", ErrUnknownToken, name)
	}
	return err
}

// tokens returns the tokens that a query selects. rest is the query without its SELECT and FROM clauses.
func (b *base) tokens(ctx context.Context, rest string, args ...any) iter.Seq2[Token, error] {
	columns := func(t *Token) []any { return []any{&t.Name, &t.Right, &t.Hosts, millis{&t.Created}, &t.Owner} }
	return rows(ctx, b.reading(), columns, "SELECT name, may, hosts, created, owner FROM tokens "+rest, args...)
}

// Tokens returns all tokens in the order of their names.
func (b *base) Tokens(ctx context.Context) ([]Token, error) {
	return list(b.tokens(ctx, "ORDER BY name"))
}

// FindToken returns a token, or [ErrUnknownToken]. Each call queries the database, so that a removed
// token is refused at once. While the database cannot be reached, FindToken returns tokens that it
// has found before: a broker can still accept readings that are posted with them.
func (b *base) FindToken(ctx context.Context, token string) (Token, error) {
	hash := hashOf(token)
	t, err := first(b.tokens(ctx, "WHERE hash = ?", hash))
	if errors.Is(err, sql.ErrNoRows) {
		b.found.Delete(hash)
		return Token{}, ErrUnknownToken
	}
	if errors.Is(err, ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		if known, ok := b.found.Load(hash); ok {
			return known.(Token), nil
		}
	}
	if err == nil {
		b.found.Store(hash, t)
	}
	return t, err
}
