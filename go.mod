module github.com/hone-go/hone

go 1.26.0
