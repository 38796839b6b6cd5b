package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
)

// A Right is the right that a token gives.
type Right string

// The rights: to post readings, to read, and to rename and remove hosts. An administrator may read.
const (
	MayPost  Right = "post"
	MayRead  Right = "read"
	MayAdmin Right = "admin"
)

// ErrUnknownToken means that a token does not exist, or has been removed.
var ErrUnknownToken = errors.New("store: unknown token")

// A Token is a token of which the database has only a hash.
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
	result, err := b.control.ExecContext(ctx, b.bind("INSERT INTO tokens (name, hash, may, hosts, created, owner) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING"),
		t.Name, hashOf(token), string(t.Right), t.Hosts, t.Created.UnixMilli(), int64(OwnerOf(token)))
	if err != nil {
		return b.failed(err)
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return fmt.Errorf("a token with the name %q exists already", t.Name)
	}
	return nil
}

// RemoveToken removes a token. All servers refuse it from then on.
func (b *base) RemoveToken(ctx context.Context, name string) error {
	result, err := b.control.ExecContext(ctx, b.bind("DELETE FROM tokens WHERE name = ?"), name)
	if err != nil {
		return b.failed(err)
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return fmt.Errorf("%w %q", ErrUnknownToken, name)
	}
	return nil
}

const selectTokens = "SELECT name, may, hosts, created, owner FROM tokens"

func scanToken(scan func(...any) error) (t Token, err error) {
	var right string
	var owner int64
	err = scan(&t.Name, &right, &t.Hosts, millis{&t.Created}, &owner)
	t.Right, t.Owner = Right(right), Owner(owner)
	return t, err
}

// Tokens returns all tokens in the order of their names.
func (b *base) Tokens(ctx context.Context) (tokens []Token, err error) {
	err = b.rows(ctx, selectTokens+" ORDER BY name", nil, func(scan func(...any) error) error {
		t, err := scanToken(scan)
		tokens = append(tokens, t)
		return err
	})
	return tokens, err
}

// FindToken returns a token, or [ErrUnknownToken]. Each call queries the database, so that a removed
// token is refused at once. While the database cannot be reached, FindToken returns tokens that it
// has found before: a broker can still accept readings that are posted with them.
func (b *base) FindToken(ctx context.Context, token string) (Token, error) {
	hash := hashOf(token)
	t, err := scanToken(b.read.QueryRowContext(ctx, b.bind(selectTokens+" WHERE hash = ?"), hash).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		b.found.Delete(hash)
		return Token{}, ErrUnknownToken
	}
	if err = b.failed(err); errors.Is(err, ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		if known, ok := b.found.Load(hash); ok {
			return known.(Token), nil
		}
	}
	if err == nil {
		b.found.Store(hash, t)
	}
	return t, err
}
