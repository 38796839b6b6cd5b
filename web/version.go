package web

// Version is the release of Echo whose API this package has.
const Version = "5.3.1"
