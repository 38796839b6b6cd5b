module github.com/hone-go/hone/cmd/hone

go 1.26.0

require github.com/hone-go/hone v0.0.0

replace github.com/hone-go/hone => ../..
