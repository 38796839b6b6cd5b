package urlpath

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
)

var (
	errNoFile = errors.New("neither a file nor a directory")
	errNoSeek = errors.New("web: file does not implement io.ReadSeeker")
)

// Open opens a file or a directory. It opens nothing else, because opening a named pipe
// blocks until something is written to the pipe.
func Open(files fs.FS, name string) (fs.File, fs.FileInfo, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, nil, errNoFile
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, nil, err
	}
	if info, err = file.Stat(); err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// Serve answers a request with a file.
func Serve(w http.ResponseWriter, r *http.Request, file fs.File, info fs.FileInfo) error {
	content, ok := file.(io.ReadSeeker)
	if !ok {
		return errNoSeek
	}
	http.ServeContent(w, r, info.Name(), info.ModTime(), content)
	return nil
}
