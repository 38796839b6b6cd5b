module github.com/hone-go/hone/internal/test/arch

go 1.26.0

require github.com/hone-go/hone v0.1.0
