// Package hone leads to the packages of the Hone toolkit. It has no code: import the package that
// you need. Each can be adopted without the others, and none depends on another module.
//
// Four packages replace a package that you use. Change the import, and keep the code:
//
//   - [github.com/hone-go/hone/json], [github.com/hone-go/hone/json/v2] and
//     [github.com/hone-go/hone/json/jsontext] replace encoding/json and its second version
//   - [github.com/hone-go/hone/mo] replaces github.com/samber/mo
//   - [github.com/hone-go/hone/web] and [github.com/hone-go/hone/web/middleware] replace
//     github.com/labstack/echo/v5
//
// The others are for new code:
//
//   - [github.com/hone-go/hone/wire] encodes Go values in a compact binary form;
//     [github.com/hone-go/hone/wire/container] keeps them in files,
//     [github.com/hone-go/hone/wire/layout] declares formats byte for byte, and
//     [github.com/hone-go/hone/wire/schema] describes them for other languages
//   - [github.com/hone-go/hone/bind] sets the fields of a struct from a request
//   - [github.com/hone-go/hone/api] has typed handlers for any router;
//     [github.com/hone-go/hone/api/openapi] serves their document,
//     [github.com/hone-go/hone/api/client] calls them, and
//     [github.com/hone-go/hone/api/apitest] tests them
//   - [github.com/hone-go/hone/union] declares the types that an interface may hold
//
// The command github.com/hone-go/hone/cmd/hone changes the imports of a module, and back.
//
// docs/which-package.md has the size and the imports of each package, and docs/stability.md the
// promises of a release.
package hone
