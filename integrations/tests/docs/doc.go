// Package docs compiles the Go code in the documentation that needs modules of other projects.
package docs
