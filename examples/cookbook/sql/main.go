// Command sql is a service that answers JSON and stores its values in SQLite. An mo.Option is a
// member that may be null and a column that may be NULL.
//
//	curl http://127.0.0.1:8080/v1/books -H 'Content-Type: application/json' -d '{"title":"Walden","year":1854}'
//	curl 'http://127.0.0.1:8080/v1/books?author=Thoreau'
package main

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"log"
	"net/http"

	_ "modernc.org/sqlite"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type Book struct {
	ID     int64             `json:"id" readOnly:"true"`
	Title  string            `json:"title" length:"1..200"`
	Author mo.Option[string] `json:"author" length:"1..100"`
	Year   mo.Option[int]    `json:"year" min:"1000" max:"2100"`
}

const table = `CREATE TABLE IF NOT EXISTS books (
	id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT, year INTEGER, UNIQUE (title, author))`

type books struct{ db *sql.DB }

type addIn struct {
	Body Book `body:""`
}

func (b books) add(ctx context.Context, in *addIn) (*Book, error) {
	v := in.Body
	err := b.db.QueryRowContext(ctx, `INSERT INTO books (title, author, year) VALUES (?, ?, ?)
		ON CONFLICT DO NOTHING RETURNING id`, v.Title, v.Author, v.Year).Scan(&v.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, api.NewProblem(http.StatusConflict, "the book is there already")
	}
	return &v, err
}

type getIn struct {
	ID int64 `path:"id"`
}

func (b books) get(ctx context.Context, in *getIn) (*Book, error) {
	var v Book
	err := b.db.QueryRowContext(ctx, `SELECT id, title, author, year FROM books WHERE id = ?`, in.ID).
		Scan(&v.ID, &v.Title, &v.Author, &v.Year)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, api.NewProblem(http.StatusNotFound, "no such book")
	}
	return &v, err
}

type listIn struct {
	Author mo.Option[string] `query:"author"`
}

// list streams the books: only one of them is in memory at a time.
func (b books) list(ctx context.Context, in *listIn) (*api.Elements[Book], error) {
	rows, err := b.db.QueryContext(ctx, `SELECT id, title, author, year FROM books
		WHERE ?1 IS NULL OR author = ?1 ORDER BY id`, in.Author)
	if err != nil {
		return nil, err
	}
	return api.ElementsOf(all(rows)), nil
}

func all(rows *sql.Rows) iter.Seq2[Book, error] {
	return func(yield func(Book, error) bool) {
		defer rows.Close()
		for rows.Next() {
			var v Book
			err := rows.Scan(&v.ID, &v.Title, &v.Author, &v.Year)
			if !yield(v, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Book{}, err)
		}
	}
}

func handler(db *sql.DB) (*web.Echo, error) {
	if _, err := db.Exec(table); err != nil {
		return nil, err
	}
	b := books{db}
	e := web.New()
	api.Handle(e, "POST /v1/books", b.add, api.Operation{Status: http.StatusCreated})
	api.Handle(e, "GET /v1/books/{id}", b.get)
	api.Handle(e, "GET /v1/books", b.list)
	return e, nil
}

func main() {
	db, err := sql.Open("sqlite", "books.db")
	if err != nil {
		log.Fatal(err)
	}
	e, err := handler(db)
	if err == nil {
		err = e.Start(":8080")
	}
	if err != nil {
		log.Fatal(err)
	}
}
