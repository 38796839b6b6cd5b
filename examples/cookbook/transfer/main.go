// Command transfer accepts files, and returns them. It streams files: no file is ever completely in
// memory.
//
//	curl -T photo.png -H 'Content-Type: image/png' http://127.0.0.1:8080/v1/files/photo.png
//	curl -r 0-99 http://127.0.0.1:8080/v1/files/photo.png
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/web"
)

type upload struct {
	Name string    `path:"name" pattern:"^[a-z0-9][a-z0-9._-]*$" length:"..100"`
	Body io.Reader `body:"*/*"`
}

type uploaded struct {
	Bytes int64 `json:"bytes"`
}

type download struct {
	Name string `path:"name" pattern:"^[a-z0-9][a-z0-9._-]*$"`
}

// put stores the body under the name. An existing file is replaced only when the whole body has
// arrived.
func put(root *os.Root, in *upload) (*uploaded, error) {
	partial := "." + in.Name // cannot be the name of an upload: those do not begin with a dot
	f, err := root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, api.NewProblem(http.StatusConflict, "the file is being uploaded")
	}
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(f, in.Body)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(partial, in.Name)
	}
	if err != nil {
		return nil, errors.Join(err, root.Remove(partial))
	}
	return &uploaded{n}, nil
}

// get returns the file. Its Content is an os.File, so ranges and conditional requests are answered.
func get(root *os.Root, in *download) (*api.Content, error) {
	f, err := root.Open(in.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.NewProblem(http.StatusNotFound, "no such file")
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &api.Content{Name: in.Name, Modified: info.ModTime(), Body: f}, nil
}

func handler(root *os.Root) *web.Echo {
	e := web.New()
	api.Handle(e, "PUT /v1/files/{name}", func(_ context.Context, in *upload) (*uploaded, error) {
		return put(root, in)
	}, api.Operation{BodyLimit: 1 << 30})
	api.Handle(e, "GET /v1/files/{name}", func(_ context.Context, in *download) (*api.Content, error) {
		return get(root, in)
	})
	return e
}

func main() {
	dir := flag.String("dir", ".", "the `folder` of the files")
	flag.Parse()
	root, err := os.OpenRoot(*dir)
	if err != nil {
		log.Fatal(err)
	}
	if err := handler(root).Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
