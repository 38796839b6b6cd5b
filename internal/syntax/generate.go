package syntax

//go:generate go run ./internal/generate
