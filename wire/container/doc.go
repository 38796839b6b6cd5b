// Package container writes records to streams for long storage: files that programs append to,
// copy, and read years later.
//
//	w, err := container.NewWriter[Reading](file, nil, container.Options{})
//	err = w.Write(&reading)
//	err = w.Close()
//
//	r, err := container.NewReader[Reading](file, nil, container.ReaderOptions{})
//	for {
//		err := r.Read(&reading)
//		if err == io.EOF {
//			break
//		}
//		var lost *container.LossError
//		if errors.As(err, &lost) {
//			log.Print(lost) // and continue with the next whole block
//			continue
//		}
//		…
//	}
//
// A container has a header with the schema of its records, and blocks of records. Each block begins
// with a marker, by which a reader finds the next block after damage. The head of the block
// contains the sequence numbers of the block and of its first record. Each block has two checksums.
// docs/wire-container.md specifies the bytes.
//
// # Guarantees
//
//   - A change of one byte, or of up to 32 bits in a row, costs at most one block, and is always
//     reported. No record is read from a damaged block. Blocks that are missing, repeated or out of
//     order are reported too.
//   - The checksums detect damage. They are not signatures: a program that changes bytes on purpose
//     can change the checksums too.
//   - Every call of Read or Next consumes bytes, or ends the stream, so a loop that continues
//     after errors ends. The exception is a timeout of the reader (os.ErrDeadlineExceeded).
//   - Memory is bounded by the length of the longest block, and grows as its bytes arrive.
//   - Writing and reading a record allocate nothing beyond the allocations of its codec.
package container
