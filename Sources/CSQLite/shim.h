#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast that Swift does not import.
static inline sqlite3_destructor_type ticds_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// sqlite3_db_config has a variable number of arguments, which Swift does not import: turns one switch on or off.
static inline int ticds_sqlite_switch(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}
