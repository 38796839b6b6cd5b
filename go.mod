module github.com/hone-go/hone

go 1.25.0
