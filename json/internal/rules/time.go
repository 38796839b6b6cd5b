package rules

// Digits returns the number that the first two bytes of b represent in decimal, or 1000 if one
// of these bytes is not a digit.
func Digits(b []byte) int {
	tens, ones := b[0]-'0', b[1]-'0'
	if tens > 9 || ones > 9 {
		return 1000
	}
	return int(tens)*10 + int(ones)
}
