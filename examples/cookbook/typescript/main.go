// Command typescript serves an API, and writes a TypeScript client for it from the types of the
// handlers. The client imports nothing. go generate keeps it up to date.
//
//	go run ./examples/cookbook/typescript -client > client.ts
package main

import (
	"cmp"
	"context"
	"flag"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

//go:generate go run . -client -o client.ts

type Task struct {
	ID   int64                `json:"id" readOnly:"true"`
	Text string               `json:"text" length:"1..200"`
	Due  mo.Option[time.Time] `json:"due"`
	Size string               `json:"size" enum:"small,large" default:"small"`
}

type addIn struct {
	Body Task `body:""`
}

type listIn struct {
	Size mo.Option[string] `query:"size" enum:"small,large"`
}

type removeIn struct {
	ID int64 `path:"id"`
}

type tasks struct {
	mu   sync.Mutex
	last int64
	all  map[int64]Task
}

func (t *tasks) add(_ context.Context, in *addIn) (*Task, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	in.Body.ID = t.last
	t.all[t.last] = in.Body
	return &in.Body, nil
}

func (t *tasks) list(_ context.Context, in *listIn) (*[]Task, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := []Task{}
	for _, task := range t.all {
		if in.Size.OrElse(task.Size) == task.Size {
			found = append(found, task)
		}
	}
	slices.SortFunc(found, func(a, b Task) int { return cmp.Compare(a.ID, b.ID) })
	return &found, nil
}

func (t *tasks) remove(_ context.Context, in *removeIn) (*struct{}, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.all[in.ID]; !ok {
		return nil, api.NewProblem(http.StatusNotFound, "no such task")
	}
	delete(t.all, in.ID)
	return nil, nil
}

func handler() (*web.Echo, *api.API) {
	t := &tasks{all: map[int64]Task{}}
	e := web.New()
	a := api.New(e)
	api.Handle(a, "GET /v1/tasks", t.list, api.Operation{Name: "listTasks"})
	api.Handle(a, "POST /v1/tasks", t.add, api.Operation{Name: "addTask", Status: http.StatusCreated})
	api.Handle(a, "DELETE /v1/tasks/{id}", t.remove, api.Operation{Name: "removeTask"})
	return e, a
}

func main() {
	client := flag.Bool("client", false, "write the TypeScript client")
	out := flag.String("o", "/dev/stdout", "the `file` of the client")
	flag.Parse()
	e, a := handler()
	if *client {
		text, err := openapi.Describe(a, openapi.Config{Title: "Tasks", Version: "1"}).TypeScript()
		if err == nil {
			err = os.WriteFile(*out, text, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := e.Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
