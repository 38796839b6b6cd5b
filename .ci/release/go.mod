module github.com/hone-go/hone/.ci/release

go 1.26.0

require golang.org/x/mod v0.43.0

require go.yaml.in/yaml/v3 v3.0.6
