// Package sql tests mo.Option and mo.Nullable as columns and parameters of real databases:
// SQLite, PostgreSQL and MariaDB. It exports nothing: both types implement the interfaces of
// database/sql.
//
// The servers are expected at the addresses of their Debian packages, or at the data source
// names in the environment variables HONE_POSTGRES and HONE_MYSQL.
package sql
