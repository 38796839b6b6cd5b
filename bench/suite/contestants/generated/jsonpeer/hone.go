package jsonpeer

// These types have encoders that hone gen -go -json has written to hone_gen.go. They are separate types, because the
// other contestants of Hone must not use generated code.
//
// The first line of hone_gen.go has the command; TestGenerated of the contestants of wire checks that the file is
// up to date.
type (
	HoneAPI     API
	HonePlaces  PlaceDocument
	HoneBatch   PulseBatch
	HoneCanada  CanadaDocument
	HoneCitm    CitmDocument
	HoneSource  SourceDocument
	HoneFhir    FhirDocument
	HoneTwitter TwitterDocument
)
