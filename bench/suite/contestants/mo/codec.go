package mo

import (
	"strings"

	samber "github.com/samber/mo"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/mo"
)

func jsonContests() []contest.Contest {
	const text = "hello world"
	place := moPlace{1, 2, "here"}
	large := `"` + strings.Repeat("x", 1024) + `"`
	return []contest.Contest{
		versus("mo/OptionMarshalJSON/None", jsonOf(mo.None[string]()), jsonOf(samber.None[string]())),
		versus("mo/OptionMarshalJSON/Some", jsonOf(mo.Some(text)), jsonOf(samber.Some(text))),
		versus("mo/OptionMarshalJSON/Int", jsonOf(mo.Some(-1234)), jsonOf(samber.Some(-1234))),
		versus("mo/OptionMarshalJSON/Struct", jsonOf(mo.Some(place)), jsonOf(samber.Some(place))),
		versus("mo/OptionUnmarshalJSON/Null", fromJSON(new(mo.Option[string]), "null"), fromJSON(new(samber.Option[string]), "null")),
		versus("mo/OptionUnmarshalJSON/SmallValue", fromJSON(new(mo.Option[string]), `"hello world"`), fromJSON(new(samber.Option[string]), `"hello world"`)),
		versus("mo/OptionUnmarshalJSON/Int", fromJSON(new(mo.Option[int]), "-1234"), fromJSON(new(samber.Option[int]), "-1234")),
		versus("mo/OptionUnmarshalJSON/LargeValue", fromJSON(new(mo.Option[string]), large), fromJSON(new(samber.Option[string]), large)),
		versus("mo/OptionUnmarshalJSON/Struct", fromJSON(new(mo.Option[moPlace]), `{"X":1,"Y":2,"Name":"here"}`),
			fromJSON(new(samber.Option[moPlace]), `{"X":1,"Y":2,"Name":"here"}`)),
		versus("mo/ResultMarshalJSON/Ok", jsonOf(mo.Ok(42)), jsonOf(samber.Ok(42))),
		versus("mo/ResultMarshalJSON/Err", jsonOf(mo.Err[int](errBoom)), jsonOf(samber.Err[int](errBoom))),
		versus("mo/ResultUnmarshalJSON/Ok", fromJSON(new(mo.Result[int]), `{"result":42}`), fromJSON(new(samber.Result[int]), `{"result":42}`)),
		versus("mo/ResultUnmarshalJSON/Err", fromJSON(new(mo.Result[int]), `{"error":{"message":"boom"}}`),
			fromJSON(new(samber.Result[int]), `{"error":{"message":"boom"}}`)),
	}
}

type jsonMarshaler interface{ MarshalJSON() ([]byte, error) }

func jsonOf[M jsonMarshaler](v M) func(int) (string, error) {
	return func(n int) (string, error) {
		var data []byte
		var err error
		for range n {
			if data, err = v.MarshalJSON(); err != nil {
				return "", err
			}
		}
		return string(data), nil
	}
}

// fromJSON returns the work of decoding text. The result of the work is the encoding of the decoded
// value, so that the results of both packages can be compared.
func fromJSON[M interface {
	jsonMarshaler
	UnmarshalJSON([]byte) error
}](v M, text string) func(int) (string, error) {
	data := []byte(text)
	return func(n int) (string, error) {
		for range n {
			if err := v.UnmarshalJSON(data); err != nil {
				return "", err
			}
		}
		back, err := v.MarshalJSON()
		return string(back), err
	}
}

func binaryContests() []contest.Contest {
	const text = "hello world"
	place := moPlace{1, 2, "here"}
	var all []contest.Contest
	all = append(all, binaryPair("mo/OptionBinary", mo.Some(text), samber.Some(text), new(mo.Option[string]), new(samber.Option[string]))...)
	all = append(all, binaryPair("mo/OptionBinary/Int", mo.Some(-1234), samber.Some(-1234), new(mo.Option[int]), new(samber.Option[int]))...)
	all = append(all, binaryPair("mo/OptionBinary/Bytes", mo.Some([]byte(text)), samber.Some([]byte(text)), new(mo.Option[[]byte]), new(samber.Option[[]byte]))...)
	all = append(all, binaryPair("mo/OptionBinary/Struct", mo.Some(place), samber.Some(place), new(mo.Option[moPlace]), new(samber.Option[moPlace]))...)
	all = append(all, binaryPair("mo/EitherBinary", mo.Left[string, int](text), samber.Left[string, int](text), new(mo.Either[string, int]), new(samber.Either[string, int]))...)
	all = append(all, binaryPair("mo/EitherBinary/Struct", mo.Left[moPlace, int](place), samber.Left[moPlace, int](place), new(mo.Either[moPlace, int]), new(samber.Either[moPlace, int]))...)
	all = append(all, binaryPair("mo/Either3Binary/Struct", mo.NewEither3Arg2[int, moPlace, bool](place), samber.NewEither3Arg2[int, moPlace, bool](place),
		new(mo.Either3[int, moPlace, bool]), new(samber.Either3[int, moPlace, bool]))...)
	all = append(all, binaryPair("mo/Either4Binary/Struct", mo.NewEither4Arg2[int, moPlace, bool, string](place), samber.NewEither4Arg2[int, moPlace, bool, string](place),
		new(mo.Either4[int, moPlace, bool, string]), new(samber.Either4[int, moPlace, bool, string]))...)
	all = append(all, binaryPair("mo/Either5Binary/Struct", mo.NewEither5Arg2[int, moPlace, bool, string, uint](place), samber.NewEither5Arg2[int, moPlace, bool, string, uint](place),
		new(mo.Either5[int, moPlace, bool, string, uint]), new(samber.Either5[int, moPlace, bool, string, uint]))...)
	return all
}

type binaryMarshaler interface{ MarshalBinary() ([]byte, error) }

type binaryTarget interface {
	binaryMarshaler
	UnmarshalBinary([]byte) error
}

// binaryPair returns two contests: encoding one value, and decoding it.
func binaryPair[H, S binaryMarshaler](name string, honeValue H, samberValue S, honeTarget, samberTarget binaryTarget) []contest.Contest {
	return []contest.Contest{
		versus(name+"/MarshalBinary", binaryOf(honeValue), binaryOf(samberValue)),
		versus(name+"/UnmarshalBinary", fromBinary(honeTarget, samberValue), fromBinary(samberTarget, samberValue)),
	}
}

func binaryOf[M binaryMarshaler](v M) func(int) (string, error) {
	return func(n int) (string, error) {
		var data []byte
		var err error
		for range n {
			if data, err = v.MarshalBinary(); err != nil {
				return "", err
			}
		}
		return string(data), nil
	}
}

// fromBinary returns the work of decoding the output of source. The result of the work is the encoding of the decoded
// value.
func fromBinary(v binaryTarget, source binaryMarshaler) func(int) (string, error) {
	return func(n int) (string, error) {
		data, err := source.MarshalBinary()
		if err != nil {
			return "", err
		}
		for range n {
			if err := v.UnmarshalBinary(data); err != nil {
				return "", err
			}
		}
		back, err := v.MarshalBinary()
		return string(back), err
	}
}
