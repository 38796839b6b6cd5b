module github.com/hone-go/hone/cmd/hone

go 1.26.0

require github.com/hone-go/hone v0.0.0

require go.yaml.in/yaml/v3 v3.0.6

replace github.com/hone-go/hone => ../..
