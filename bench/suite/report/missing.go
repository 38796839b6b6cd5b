package report

// An absence is a peer that is not measured, and why.
type absence struct{ Peer, Reason string }

// Missing are the peers that are not measured.
func Missing() []absence {
	return []absence{
		{"Parco", "cannot be had as a Go module; its published figures stand in"},
		{"fxamacher/cbor", "cannot be had as a Go module"},
	}
}
