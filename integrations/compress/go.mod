module github.com/hone-go/hone/integrations/compress

go 1.26.0

require (
	github.com/hone-go/hone v0.1.0
	github.com/klauspost/compress v1.20.3
)
