module github.com/hone-go/hone/cmd/hone

go 1.26.0

require github.com/hone-go/hone v0.1.0

require (
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/mod v0.43.0
	golang.org/x/tools v0.52.0
)

require golang.org/x/sync v0.24.0 // indirect
