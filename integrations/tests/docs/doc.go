// Package docs compiles the Go code of pages that needs modules of other projects.
package docs
