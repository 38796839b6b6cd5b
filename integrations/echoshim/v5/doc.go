// Package echo is github.com/hone-go/hone/web under the import path of Echo v5, for running
// programs and libraries for Echo on Hone without changes:
//
//	go mod edit -replace github.com/labstack/echo/v5=github.com/hone-go/hone/integrations/echoshim/v5@v5.1.0
//
// Its types are aliases, so values can be passed between both packages.
package echo

//go:generate go run ./internal/generate
