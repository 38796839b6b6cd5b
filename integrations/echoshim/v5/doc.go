// Package echo is github.com/hone-go/hone/web under the import path of Echo v5,
// for programs and libraries that are written for Echo and are to run on Hone
// unchanged:
//
//	go mod edit -replace github.com/labstack/echo/v5=github.com/hone-go/hone/integrations/echoshim/v5@v5.1.0
//
// Its types are aliases, so either side takes the values that the other makes.
package echo

//go:generate go run ./internal/generate
