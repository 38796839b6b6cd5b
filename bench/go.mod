module github.com/hone-go/hone/bench

go 1.26.0
