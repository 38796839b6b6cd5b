package circle

type top struct{ b bottom }

func (t top) down() int { return t.b.down() + leaf }

const limit = 3
