// Package types has the Go types of the public documents and of the small messages. The command in corpus/generate
// derives them from the documents.
package types
