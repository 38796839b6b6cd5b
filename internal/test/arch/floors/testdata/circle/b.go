package circle

type bottom struct{ n int }

func (b bottom) down() int { return min(b.n, limit) }
