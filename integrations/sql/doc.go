// Package sql holds the tests of mo.Option and mo.Nullable as columns and
// parameters of real databases: SQLite, PostgreSQL and MariaDB. There is nothing
// in it to import; both types work with database/sql as they are.
//
// The servers are looked for where their packages put them, or where the
// environment variables HONE_POSTGRES and HONE_MYSQL say, each a data source
// name of its driver.
package sql
