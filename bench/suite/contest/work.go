package contest

// Loop returns a function that calls op n times.
func Loop(op func()) func(int) {
	return func(n int) {
		for range n {
			op()
		}
	}
}
