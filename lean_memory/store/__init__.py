"""The only place with SQL: one SQLite file per namespace."""
