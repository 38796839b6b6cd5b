package report

// The figures and the names are copied from the pages of their authors.
var publishedTables = []published{
	{
		title:   "Monads with cheap hot paths (samber/mo, pull request 110)",
		about:   "The columns before and after are from the pull request. The release that is measured here, v1.17.0, does not have the change.",
		columns: []string{"before, theirs", "after, theirs", "after, on an EPYC"}, peer: samber, peerIs: samber,
		lines: []publishedLine{
			{"OptionMarshalJSON/None", []string{"69.3 ns", "14.3 ns", ""}, "mo/OptionMarshalJSON/None"},
			{"OptionMarshalJSON/Some", []string{"184 ns", "187 ns", ""}, "mo/OptionMarshalJSON/Some"},
			{"OptionUnmarshalJSON/Null", []string{"40.7 ns, 1", "8.7 ns, 0", ""}, "mo/OptionUnmarshalJSON/Null"},
			{"OptionUnmarshalJSON/SmallValue", []string{"341 ns, 3", "275 ns, 2", ""}, "mo/OptionUnmarshalJSON/SmallValue"},
			{"OptionUnmarshalJSON/LargeValue", []string{"7.2 µs", "5.8 µs", ""}, "mo/OptionUnmarshalJSON/LargeValue"},
			{"OptionBinary/MarshalBinary", []string{"997 ns, 15", "970 ns, 13", ""}, "mo/OptionBinary/MarshalBinary"},
			{"OptionBinary/UnmarshalBinary", []string{"1.27 µs", "1.28 µs", ""}, "mo/OptionBinary/UnmarshalBinary"},
			{"EitherBinary/Marshal", []string{"970 ns", "900 ns", ""}, "mo/EitherBinary/MarshalBinary"},
			{"EitherBinary/Unmarshal", []string{"1.31 µs", "1.23 µs", ""}, "mo/EitherBinary/UnmarshalBinary"},
			{"Either3 MarshalBinary", []string{"980 ns", "880 ns", ""}, "mo/Either3Binary/Struct/MarshalBinary"},
			{"Either4 MarshalBinary", []string{"1020 ns", "918 ns", ""}, "mo/Either4Binary/Struct/MarshalBinary"},
			{"Either5 MarshalBinary", []string{"982 ns", "984 ns", ""}, "mo/Either5Binary/Struct/MarshalBinary"},
			{"OptionEqual/Int", []string{"32.7 ns", "9.2 ns", "4-5 ns"}, "mo/OptionEqual/Int"},
			{"OptionEqual/String", []string{"97 ns", "11.9 ns", "7.2 ns"}, "mo/OptionEqual/String"},
			{"OptionEqual/Struct", []string{"142 ns", "149 ns", "70 ns, 2"}, "mo/OptionEqual/Struct"},
			{"ResultMarshalJSON/Ok", []string{"702 ns, 7", "233 ns, 2", "90 ns, 2"}, "mo/ResultMarshalJSON/Ok"},
			{"ResultMarshalJSON/Err", []string{"1249 ns, 12", "257 ns, 2", "101 ns, 2"}, "mo/ResultMarshalJSON/Err"},
			{"ResultUnmarshalJSON/Ok", []string{"", "", "378 ns, 6"}, "mo/ResultUnmarshalJSON/Ok"},
			{"ResultUnmarshalJSON/Err", []string{"", "", "530 ns, 9"}, "mo/ResultUnmarshalJSON/Err"},
			{"OptionScan/Int64", []string{"", "", "10.6 ns, 1"}, "mo/OptionScan/Int64"},
			{"OptionScan/String", []string{"", "", "20.6 ns, 1"}, "mo/OptionScan/String"},
		},
	},
	{
		title:   "Golang reflection, a faster route? (an article)",
		about:   "One serializer, implemented in four ways. It passes its values to a writer whose methods do nothing. The code that is measured here is our own, written from the article’s description.",
		columns: []string{"theirs", "to their hand-written code"}, peerIs: "that way",
		lines: []publishedLine{
			{"simple, with a map: by hand", []string{"100 ns, 0", ""}, "wire/simple to a writer"},
			{"simple: reflection", []string{"471 ns, 4", "4.7 ×"}, "wire/simple to a writer"},
			{"simple: closures, unsafe", []string{"410-599 ns, 4-6", ""}, "wire/simple to a writer"},
			{"simple: instruction set, unsafe", []string{"406 ns, 4", "4.1 ×"}, "wire/simple to a writer"},
			{"nested, no map: by hand", []string{"33.4 ns, 0", ""}, "wire/nested to a writer"},
			{"nested: reflection", []string{"178 ns", "5.3 ×"}, "wire/nested to a writer"},
			{"nested: closures, unsafe", []string{"", ""}, "wire/nested to a writer"},
			{"nested: instruction set, unsafe", []string{"72.9 ns, 0", "2.2 ×"}, "wire/nested to a writer"},
			{"simple, as bytes: by hand", []string{"", ""}, "wire/simple/encode"},
			{"nested, as bytes: by hand", []string{"", ""}, "wire/nested/encode"},
		},
		peers: []string{"by hand", "reflection", "closures", "instruction set", "by hand", "reflection", "closures", "instruction set", "by hand", "by hand"},
	},
	{
		title:   "Echo’s hot paths (labstack/echo, pull request 3008)",
		about:   "The columns before and after are from the pull request. The last column is Echo’s newest release on a two-core AMD EPYC. The second figure of a cell is the number of allocations.",
		columns: []string{"before, theirs", "after, theirs", "newest, on an EPYC"}, peer: echo, peerIs: echo,
		lines: []publishedLine{
			{"five middleware", []string{"101 ns, 5", "34 ns, 0", "44 ns, 0"}, "router/five middleware"},
			{"static route", []string{"27 ns", "27 ns", "39 ns, 0"}, "router/static route"},
			{"param route", []string{"42 ns", "43 ns", "49 ns, 0"}, "router/param route"},
			{"Set", []string{"1 alloc", "0 allocs", "55 ns, 0"}, "bind/Set and Get"},
			{"QueryParam, one key", []string{"199 ns, 4", "41 ns, 0", "37 ns, 0"}, "bind/QueryParam, one key"},
			{"String()", []string{"191 ns, 4", "188 ns, 3", "203 ns, 3"}, "respond/String"},
			{"JSON()", []string{"347 ns, 5", "350 ns, 4", "405 ns, 4"}, "respond/Response{Message}"},
			{"Bind query, 5 fields", []string{"961 ns, 8", "688 ns, 8", "770 ns, 8"}, "bind/query, 5 fields"},
			{"bindData with tags", []string{"4973 ns", "2609 ns", "2820 ns, 2"}, "bind/query, 20 fields"},
			{"Bind JSON", []string{"", "", "1140 ns, 7"}, "bind/JSON body"},
			{"request id", []string{"130 ns, 2", "122 ns, 1", "480 ns, 2"}, "middleware/RequestID"},
			{"GitHub API, all routes", []string{"", "", "18.6 µs, 0"}, "router/GitHub, all routes"},
			{"404", []string{"", "", "874 ns, 8"}, "respond/404"},
			{"405", []string{"", "", "1053 ns, 10"}, "respond/405"},
			{"Secure", []string{"", "", "317 ns, 4"}, "middleware/Secure"},
			{"ContextTimeout", []string{"", "", "925 ns, 5"}, "middleware/ContextTimeout"},
			{"CSRF", []string{"", "", "1057 ns, 5"}, "middleware/CSRF"},
			{"QueryParam[T]", []string{"", "", "430 ns, 5"}, "bind/QueryParam[int]"},
			{"one path param bound", []string{"", "", "263 ns, 3"}, "bind/path, one param"},
			{"rate limiter, 100 goroutines", []string{"", "", "11.8 µs"}, "middleware/RateLimiter, 100 goroutines"},
		},
	},
	{
		title:   "Parco, a binary codec declared in Go: encoding",
		about:   "Parco is not available as a module, so the table has its published figures, and figures from a two-core AMD EPYC. Hone writes the same bytes. The peer that is measured here is vmihailenco’s MessagePack.",
		columns: []string{"Parco, theirs", "JSON, theirs", "MessagePack, theirs", "Parco, on an EPYC", "JSON / MessagePack, on an EPYC"}, peer: "vmihailenco/msgpack", peerIs: "MessagePack",
		lines: []publishedLine{
			{"small (91 B)", []string{"2.37 µs, 3", "2.97 µs, 23, 269 B", "3.02 µs, 25, 155 B", "0.83 µs, 3", "1.82 / 1.47 µs"}, "wire/document small/encode"},
			{"medium (742 B)", []string{"15.7 µs, 3", "28.3 µs, 203, 1,681 B", "20.1 µs, 207, 991 B", "4.0 µs, 3", "21.3 / 10.7 µs"}, "wire/document medium/encode"},
			{"large (8,123 B)", []string{"154 µs, 3", "320 µs, 2003, 16,637 B", "207 µs, 2007, 10,171 B", "37.5 µs, 3", "262 / 105 µs"}, "wire/document large/encode"},
		},
	},
	codecTable("encode", "wire/record, aliased/encode", "wire/record/encode", [][2]string{
		{"by hand, reused buffer, aliased strings", "23.7 ns, 47 B"}, {"mus, same", "25.0 ns, 49 B"}, {"gencode, same", "27.9 ns, 46 B"},
		{"by hand, fresh buffer, copied strings", "37.6 ns, 47 B"}, {"benc / mus / bebop / msgp, same", "43-66 ns, 49-97 B"}, {"gotiny (fastest that needs nothing)", "167 ns, 48 B"},
		{"protobuf-go", "132 ns, 52 B"}, {"msgpack (vmihailenco)", "320 ns, 92 B"}, {"encoding/json", "557 ns, 147 B"}, {"encoding/gob", "2636 ns, 173 B"},
	}),
	codecTable("decode", "wire/record, aliased/decode", "wire/record/decode", [][2]string{
		{"by hand, reused buffer, aliased strings", "14.8 ns"}, {"mus, same", "23.3 ns"}, {"gencode, same", "63.5 ns"},
		{"by hand, fresh buffer, copied strings", "51.9 ns"}, {"benc / mus / bebop / msgp, same", "56-94 ns"}, {"gotiny (fastest that needs nothing)", "77 ns"},
		{"protobuf-go", "154 ns"}, {"msgpack (vmihailenco)", "424 ns"}, {"encoding/json", "1466 ns"}, {"encoding/gob", "14534 ns"},
	}),
	{
		title:   "json.Marshal against an Encoder, in a handler (a blog post)",
		about:   "Three ways of writing Response{Message: \"Hello World\"}. Hone has one: Context.JSON, measured with routing.",
		columns: []string{"theirs"}, peerIs: "the same",
		peers: []string{"Marshal, then Fprint", "NewEncoder(w).Encode(v)", "NewEncoder(w).Encode(&v)"},
		lines: []publishedLine{
			{"Marshal, then Fprint", []string{"1187 ns, 248 B, 5"}, "respond/Response{Message}"},
			{"NewEncoder(w).Encode(v)", []string{"731 ns, 24 B, 2"}, "respond/Response{Message}"},
			{"NewEncoder(w).Encode(&v)", []string{"660 ns, 8 B, 1"}, "respond/Response{Message}"},
		},
	},
}

// codecByLine is for the tables of the six-field record. Its entries correspond to the lines of a table. An
// entry names the codec whose figures the line shows, and says whether the codec aliases strings.
var codecByLine = []struct {
	contestant string
	aliased    bool
}{{"by hand", true}, {"mus unsafe", true}, {"", true}, {"by hand", false}, {"benc", false}, {"gotiny", false}, {"protobuf-go", false}, {"vmihailenco/msgpack", false}, {"encoding/json", false}, {"encoding/gob", false}}

// codecTable is the usual table for comparing Go's codecs. It has a line for each codec, not for
// each contest.
func codecTable(work, aliased, copied string, lines [][2]string) published {
	p := published{
		title: "The six-field record, " + work, columns: []string{"on an EPYC"}, peerIs: "the same codec",
		about: "The fields are name, birthday, phone, siblings, spouse and money. For a line with several codecs, the first one is measured here.",
	}
	for i, l := range lines {
		contest := copied
		if codecByLine[i].aliased {
			contest = aliased
		}
		p.lines = append(p.lines, publishedLine{l[0], []string{l[1]}, contest})
		p.peers = append(p.peers, codecByLine[i].contestant)
	}
	return p
}
