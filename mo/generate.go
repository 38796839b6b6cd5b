package mo

//go:generate go run ./internal/generate
