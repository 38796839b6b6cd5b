package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

func main() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}`)
	}))
	fmt.Println(s.Listener.Addr())
	time.Sleep(time.Minute)
}
