#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast that Swift does not import.
static inline sqlite3_destructor_type ticds_sqlite_transient(void) { return SQLITE_TRANSIENT; }
