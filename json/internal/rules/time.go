package rules

// Digits returns the number that the two decimal digits at the start of b represent, or 1000 if
// they are not digits.
func Digits(b []byte) int {
	tens, ones := b[0]-'0', b[1]-'0'
	if tens > 9 || ones > 9 {
		return 1000
	}
	return int(tens)*10 + int(ones)
}
