module github.com/hone-go/hone/integrations/routers

go 1.26.0

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/gorilla/mux v1.8.1
	github.com/hone-go/hone v0.1.0
	github.com/julienschmidt/httprouter v1.3.0
)
