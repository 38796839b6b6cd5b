module github.com/hone-go/hone/integrations/echoshim/conformance

go 1.26.0

require (
	github.com/danielgtaylor/huma/v2 v2.39.1
	github.com/golang-jwt/jwt/v5 v5.3.1
	github.com/gorilla/sessions v1.4.0
	github.com/hone-go/hone v0.1.0
	github.com/labstack/echo-contrib/v5 v5.0.1
	github.com/labstack/echo-jwt/v5 v5.0.2
	github.com/labstack/echo/v5 v5.4.5
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/gorilla/securecookie v1.1.2 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/pandatix/go-abnf v0.5.3 // indirect
	github.com/prometheus/client_golang v1.23.2 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.73.1 // indirect
	github.com/prometheus/procfs v0.21.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	github.com/hone-go/hone => ../../..
	github.com/labstack/echo/v5 => ../v5
)
