module github.com/hone-go/hone/.ci/gate

go 1.26.0
