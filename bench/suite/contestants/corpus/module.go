//go:build documents

package corpus

import _ "github.com/minio/simdjson-go" // keeps the module, which has the public documents, in go.mod
