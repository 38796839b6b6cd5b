// The data of the tests is in the repository only: the archive of a module omits nested modules.
module github.com/hone-go/hone/json/testdata

go 1.26.0
