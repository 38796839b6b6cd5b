package jsontext

//go:generate go run ./internal/generate
