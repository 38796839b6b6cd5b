module github.com/hone-go/hone/internal/test/gotests

go 1.26.0

require github.com/hone-go/hone v0.1.0
