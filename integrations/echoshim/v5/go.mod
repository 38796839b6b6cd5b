module github.com/labstack/echo/v5

go 1.26.0

require github.com/hone-go/hone v0.1.0
