package web

// Version is the release of Echo whose API this package implements.
const Version = "5.4.5"
