module github.com/hone-go/hone/cmd/hone

go 1.26.0

require (
	github.com/editorconfig/editorconfig-core-go/v2 v2.6.5
	github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b
	github.com/hone-go/hone v0.1.0
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/urfave/cli/v3 v3.14.0
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/mod v0.43.0
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	golang.org/x/tools v0.52.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	golang.org/x/sync v0.24.0 // indirect
	gopkg.in/ini.v1 v1.67.3 // indirect
)
