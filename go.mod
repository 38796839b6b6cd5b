module github.com/hone-go/hone

// The least patches without known holes that a server can meet are 1.26.11 and 1.27.4
// (GO-2026-6859); see docs/stability.md. The line below names the oldest that builds.
go 1.26.0
