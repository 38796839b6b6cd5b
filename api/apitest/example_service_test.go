package apitest_test

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// This file is a whole service with nineteen operations: a library that lends books. It has lists
// with pages, conditional changes, a PATCH, files, streams in both directions, events, a form and
// two kinds of callers. TestLibrary calls each operation, and then compares the service with its
// document.

type (
	// Genre is an enum: the document lists its values.
	Genre string

	Book struct {
		ID      int64               `json:"id" readOnly:"true"`
		Title   string              `json:"title" length:"1..200"`
		Authors []string            `json:"authors" length:"1..10"`
		Genre   Genre               `json:"genre"`
		Year    mo.Option[int]      `json:"year,omitzero" min:"1450" max:"2100"`
		ISBN    mo.Nullable[string] `json:"isbn,omitzero" pattern:"^[0-9]{13}$"`
	}
	Member struct {
		ID       int64     `json:"id" readOnly:"true"`
		Name     string    `json:"name" length:"1..64"`
		Email    string    `json:"email" format:"email"`
		Password string    `json:"password" length:"12..200" writeOnly:"true"`
		Joined   time.Time `json:"joined" readOnly:"true"`
	}
	Loan struct {
		ID       int64                `json:"id" readOnly:"true"`
		Book     int64                `json:"book" min:"1"`
		Member   int64                `json:"member" min:"1"`
		Due      time.Time            `json:"due" readOnly:"true"`
		Returned mo.Option[time.Time] `json:"returned" readOnly:"true"`
	}
	// Page is a part of a list. Next is the parameter of the next page.
	Page[T any] struct {
		Items []T              `json:"items"`
		Next  mo.Option[int64] `json:"next"`
	}
	// Report is the result of an import.
	Report struct {
		Books int `json:"books"`
	}
	Health struct {
		Books int `json:"books"`
		Loans int `json:"loans"`
	}
)

// Values lists the genres.
func (Genre) Values() []Genre { return []Genre{"novel", "poetry", "science", "history"} }

// These are the inputs and outputs of the operations.
type (
	ByID struct {
		ID int64 `path:"id" min:"1"`
	}
	Paged struct {
		After mo.Option[int64] `query:"after" min:"0" doc:"The last ID of the page before."`
		Limit mo.Option[int]   `query:"limit" min:"1" max:"100" doc:"10 by default."`
	}
	BooksIn struct {
		Paged
		Genre mo.Option[Genre] `query:"genre"`
		Text  string           `query:"q" length:"0..100" doc:"A part of the title."`
	}
	BookIn struct {
		Body Book `body:""`
	}
	BookChange struct {
		ByID
		Match api.Match `header:"If-Match"`
		Body  Book      `body:""`
	}
	BookPatch struct {
		ByID
		Body struct {
			Title mo.Option[string]   `json:"title,omitzero" length:"1..200"`
			Genre mo.Option[Genre]    `json:"genre,omitzero"`
			ISBN  mo.Nullable[string] `json:"isbn,omitzero" pattern:"^[0-9]{13}$"` // null removes it
		} `body:""`
	}
	Created[T any] struct {
		_        struct{} `status:"201"`
		Location string   `header:"Location"`
		Body     T        `body:""`
	}
	Search struct {
		Genres []Genre        `json:"genres" length:"1..4"`
		From   mo.Option[int] `json:"from,omitzero" min:"1450" max:"2100"`
	}
	CoverIn struct {
		ByID
		Body io.Reader `body:"image/*"`
	}
	LoansIn struct {
		Paged
		Member mo.Option[int64] `query:"member" min:"1"`
		Open   mo.Option[bool]  `query:"open"`
	}
	ExtendIn struct {
		ByID
		Days int `form:"days" min:"1" max:"28"`
	}
	Nothing struct{}
)

// Staff is the value that the handlers get for an authenticated librarian.
type Staff struct{ Name string }

// A Library is the service. Everything is in memory.
type Library struct {
	mu      sync.Mutex
	books   map[int64]Book
	covers  map[int64][]byte
	members map[int64]Member
	loans   map[int64]Loan
	last    int64
	changed chan Book // the books that are added or changed; dropped if nobody listens
	now     func() time.Time
}

func NewLibrary() *Library {
	return &Library{
		books: map[int64]Book{}, covers: map[int64][]byte{}, members: map[int64]Member{}, loans: map[int64]Loan{},
		changed: make(chan Book, 16), now: time.Now,
	}
}

var (
	errNotFound = api.NewProblem(http.StatusNotFound, "no such thing in the library")
	errLent     = api.NewProblem(http.StatusConflict, "the book is lent")
)

// Routes registers the operations.
func (l *Library) Routes(a *api.API, staffKey string) {
	staff := security.Bearer("staff", func(_ context.Context, token string) (Staff, error) {
		if subtle.ConstantTimeCompare([]byte(token), []byte(staffKey)) != 1 {
			return Staff{}, api.NewProblem(http.StatusUnauthorized, "")
		}
		return Staff{Name: "the librarian"}, nil
	})
	byStaff := func(o api.Operation) api.Operation {
		o.Security = []security.Requirement{staff.With()}
		return o
	}
	missing, lent := []error{errNotFound}, []error{errNotFound, errLent}

	api.Handle(a, "GET /v1/health", l.health, api.Operation{Name: "health"})

	api.Handle(a, "GET /v1/books", l.listBooks, api.Operation{Name: "listBooks", ETag: true})
	api.Handle(a, "QUERY /v1/books", l.searchBooks, api.Operation{Name: "searchBooks"})
	api.Handle(a, "POST /v1/books", l.addBook, byStaff(api.Operation{Name: "addBook"}))
	api.Handle(a, "GET /v1/books/{id}", l.getBook, api.Operation{Name: "getBook", ETag: true, Errors: missing})
	api.Handle(a, "PUT /v1/books/{id}", l.replaceBook, byStaff(api.Operation{Name: "replaceBook", Errors: missing}))
	api.Handle(a, "PATCH /v1/books/{id}", l.changeBook, byStaff(api.Operation{Name: "changeBook", Errors: missing}))
	api.Handle(a, "DELETE /v1/books/{id}", l.removeBook, byStaff(api.Operation{Name: "removeBook", Errors: lent}))
	api.Handle(a, "PUT /v1/books/{id}/cover", l.setCover, byStaff(api.Operation{Name: "setCover", BodyLimit: 1 << 20, Errors: missing}))
	api.Handle(a, "GET /v1/books/{id}/cover", l.cover, api.Operation{Name: "getCover", ContentType: "image/png", Errors: missing})
	api.Handle(a, "POST /v1/import", l.importBooks, byStaff(api.Operation{Name: "importBooks"}))
	api.Handle(a, "GET /v1/export", l.exportBooks, api.Operation{Name: "exportBooks"})
	api.HandleEvents(a, "GET /v1/changes", l.changes, api.Operation{Name: "watchBooks", Events: map[string]any{"": Book{}}})

	api.Handle(a, "POST /v1/members", l.addMember, byStaff(api.Operation{Name: "addMember"}))
	api.Handle(a, "GET /v1/members/{id}", l.getMember, byStaff(api.Operation{Name: "getMember", Errors: missing}))

	api.Handle(a, "POST /v1/loans", l.lend, byStaff(api.Operation{Name: "lendBook", Errors: lent}))
	api.Handle(a, "GET /v1/loans", l.listLoans, byStaff(api.Operation{Name: "listLoans"}))
	api.Handle(a, "POST /v1/loans/{id}/extend", l.extend, byStaff(api.Operation{Name: "extendLoan", Errors: missing}))
	api.Handle(a, "POST /v1/loans/{id}/return", l.giveBack, byStaff(api.Operation{Name: "returnLoan", Errors: missing}))
}

func (l *Library) health(context.Context, *Nothing) (*Health, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Health{len(l.books), len(l.loans)}, nil
}

// pageOf returns the items after p.After that pass the filter.
func pageOf[T any](p Paged, all map[int64]T, filter func(T) bool) *Page[T] {
	page, last := &Page[T]{Items: []T{}}, int64(0)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		switch {
		case id <= p.After.OrElse(0) || !filter(all[id]):
		case len(page.Items) == p.Limit.OrElse(10):
			page.Next = mo.Some(last)
			return page
		default:
			page.Items, last = append(page.Items, all[id]), id
		}
	}
	return page
}

func (l *Library) listBooks(_ context.Context, in *BooksIn) (*Page[Book], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return pageOf(in.Paged, l.books, func(b Book) bool {
		return in.Genre.OrElse(b.Genre) == b.Genre && strings.Contains(b.Title, in.Text)
	}), nil
}

// searchBooks is listBooks for a long list of conditions, which are the body of a QUERY.
func (l *Library) searchBooks(_ context.Context, in *Search) (*api.Elements[Book], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.SortedFunc(maps.Values(l.books), func(a, b Book) int { return int(a.ID - b.ID) })
	return api.ValuesOf(func(yield func(Book) bool) {
		for _, b := range all {
			if slices.Contains(in.Genres, b.Genre) && in.From.OrElse(0) <= b.Year.OrElse(0) && !yield(b) {
				return
			}
		}
	}), nil
}

// put stores a book and sends it to l.changed, for the clients that watch.
func (l *Library) put(b Book) Book {
	if b.ID == 0 {
		l.last++
		b.ID = l.last
	}
	l.books[b.ID] = b
	select {
	case l.changed <- b:
	default:
	}
	return b
}

func (l *Library) addBook(_ context.Context, in *BookIn) (*Created[Book], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.put(in.Body)
	return &Created[Book]{Location: fmt.Sprint("/v1/books/", b.ID), Body: b}, nil
}

func (l *Library) getBook(_ context.Context, in *ByID) (*Book, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.books[in.ID]
	if !ok {
		return nil, errNotFound
	}
	return &b, nil
}

func (l *Library) replaceBook(_ context.Context, in *BookChange) (*Book, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	current, ok := l.books[in.ID]
	if !ok {
		return nil, errNotFound
	}
	tag, err := api.Tag(&current)
	if err != nil {
		return nil, err
	}
	if err := in.Match.Check(tag); err != nil {
		return nil, err // 412: another librarian has changed the book first
	}
	in.Body.ID = in.ID
	b := l.put(in.Body)
	return &b, nil
}

func (l *Library) changeBook(_ context.Context, in *BookPatch) (*Book, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.books[in.ID]
	if !ok {
		return nil, errNotFound
	}
	b.Title, b.Genre = in.Body.Title.OrElse(b.Title), in.Body.Genre.OrElse(b.Genre)
	if !in.Body.ISBN.IsAbsent() {
		b.ISBN = in.Body.ISBN
	}
	b = l.put(b)
	return &b, nil
}

// isLent reports whether a loan of the book is open.
func (l *Library) isLent(book int64) bool {
	for _, loan := range l.loans {
		if loan.Book == book && loan.Returned.IsAbsent() {
			return true
		}
	}
	return false
}

func (l *Library) removeBook(_ context.Context, in *ByID) (*Nothing, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.books[in.ID]; !ok {
		return nil, errNotFound
	}
	if l.isLent(in.ID) {
		return nil, errLent
	}
	delete(l.books, in.ID)
	delete(l.covers, in.ID)
	return nil, nil
}

func (l *Library) setCover(_ context.Context, in *CoverIn) (*Nothing, error) {
	image, err := io.ReadAll(in.Body) // BodyLimit bounds the image
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.books[in.ID]; !ok {
		return nil, errNotFound
	}
	l.covers[in.ID] = image
	return nil, nil
}

func (l *Library) cover(_ context.Context, in *ByID) (*api.Content, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	image, ok := l.covers[in.ID]
	if !ok {
		return nil, errNotFound
	}
	return &api.Content{Body: bytes.NewReader(image), Name: "cover.png"}, nil
}

func (l *Library) importBooks(_ context.Context, in *api.Elements[Book]) (*Report, error) {
	report := &Report{}
	for book, err := range *in {
		if err != nil {
			return nil, err // the books before it are stored
		}
		l.mu.Lock()
		l.put(book)
		l.mu.Unlock()
		report.Books++
	}
	return report, nil
}

func (l *Library) exportBooks(context.Context, *Nothing) (*api.Elements[Book], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.SortedFunc(maps.Values(l.books), func(a, b Book) int { return int(a.ID - b.ID) })
	return api.ValuesOf(slices.Values(all)), nil
}

func (l *Library) changes(ctx context.Context, _ *Nothing, events *api.Events) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-web.Draining(ctx):
			return nil
		case b := <-l.changed:
			if err := events.SendJSON(fmt.Sprint(b.ID), b); err != nil {
				return err
			}
		}
	}
}

func (l *Library) addMember(_ context.Context, in *Member) (*Created[Member], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	m := *in
	m.ID, m.Joined = l.last, l.now().UTC()
	l.members[m.ID] = m
	return &Created[Member]{Location: fmt.Sprint("/v1/members/", m.ID), Body: m}, nil
}

func (l *Library) getMember(_ context.Context, in *ByID) (*Member, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, ok := l.members[in.ID]
	if !ok {
		return nil, errNotFound
	}
	return &m, nil
}

func (l *Library) lend(_ context.Context, in *Loan) (*Loan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, isBook := l.books[in.Book]
	_, isMember := l.members[in.Member]
	switch {
	case !isBook || !isMember:
		return nil, errNotFound
	case l.isLent(in.Book):
		return nil, errLent
	}
	l.last++
	loan := Loan{ID: l.last, Book: in.Book, Member: in.Member, Due: l.now().UTC().AddDate(0, 0, 28)}
	l.loans[loan.ID] = loan
	return &loan, nil
}

func (l *Library) listLoans(_ context.Context, in *LoansIn) (*Page[Loan], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return pageOf(in.Paged, l.loans, func(loan Loan) bool {
		return in.Member.OrElse(loan.Member) == loan.Member && in.Open.OrElse(loan.Returned.IsAbsent()) == loan.Returned.IsAbsent()
	}), nil
}

// change applies a function to an open loan.
func (l *Library) change(id int64, apply func(*Loan)) (*Loan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	loan, ok := l.loans[id]
	if !ok || loan.Returned.IsPresent() {
		return nil, errNotFound
	}
	apply(&loan)
	l.loans[id] = loan
	return &loan, nil
}

func (l *Library) extend(_ context.Context, in *ExtendIn) (*Loan, error) {
	return l.change(in.ID, func(loan *Loan) { loan.Due = loan.Due.AddDate(0, 0, in.Days) })
}

func (l *Library) giveBack(_ context.Context, in *ByID) (*Loan, error) {
	return l.change(in.ID, func(loan *Loan) { loan.Returned = mo.Some(l.now().UTC()) })
}

// TestLibrary lends a book from the first request to the last, through typed clients, and then sends
// random requests for all nineteen operations.
func TestLibrary(t *testing.T) {
	const key = "a key that only the staff knows"
	e := web.New()
	a := api.New(e)
	l := NewLibrary()
	l.Routes(a, key)
	if err := openapi.Serve(a, openapi.Config{Title: "Library", Version: "1.0"}); err != nil {
		t.Fatal(err)
	}

	c := apitest.NewClient(e, client.Options{Header: http.Header{"Authorization": {"Bearer " + key}}})
	ctx := t.Context()
	added, err := client.Call[BookIn, Created[Book]](c, "POST /v1/books")(ctx, &BookIn{Body: Book{Title: "Emma", Authors: []string{"Jane Austen"}, Genre: "novel", Year: mo.Some(1815)}})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	search, err := client.Call[Search, api.Elements[Book]](c, "QUERY /v1/books")(ctx, &Search{Genres: []Genre{"novel"}, From: mo.Some(1800)})
	if err != nil {
		t.Fatal(err)
	}
	for book, err := range *search {
		if found++; err != nil || book.ID != added.Body.ID {
			t.Errorf("%+v, %v", book, err)
		}
	}
	if found != 1 {
		t.Errorf("the search found %d books", found)
	}
	member, err := client.Call[Member, Created[Member]](c, "POST /v1/members")(ctx, &Member{Name: "Reader", Email: "reader@example.org", Password: "correct horse battery"})
	if err != nil || member.Body.Password != "" {
		t.Fatalf("%+v, %v: the password is never sent", member, err)
	}
	loan, err := client.Call[Loan, Loan](c, "POST /v1/loans")(ctx, &Loan{Book: added.Body.ID, Member: member.Body.ID})
	if err != nil {
		t.Fatal(err)
	}
	var refused *api.Problem
	if _, err := client.Call[ByID, Nothing](c, "DELETE /v1/books/{id}")(ctx, &ByID{added.Body.ID}); !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		t.Errorf("the removal of a book that is lent: %v", err)
	}
	back, err := client.Call[ByID, Loan](c, "POST /v1/loans/{id}/return")(ctx, &ByID{loan.ID})
	if err != nil || back.Returned.IsAbsent() {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := client.Call[ByID, Nothing](c, "DELETE /v1/books/{id}")(ctx, &ByID{added.Body.ID}); err != nil {
		t.Errorf("the removal of a book that was returned: %v", err)
	}

	document := openapi.Describe(a, openapi.Config{})
	operations := 0
	for _, methods := range document.Paths {
		operations += len(methods)
	}
	if operations != 19 {
		t.Errorf("%d operations", operations)
	}
	apitest.Run(t, e, document, apitest.Options{Requests: 60, Prepare: func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+key)
	}})
}
