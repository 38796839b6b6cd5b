module github.com/hone-go/hone/bench/suite

go 1.26.0

require (
	github.com/hone-go/hone v0.0.0
	github.com/labstack/echo/v5 v5.3.1
	github.com/samber/mo v1.17.0
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	golang.org/x/tools v0.52.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/hone-go/hone => ../..
