#pragma once
#include <gcrypt.h>

/// gcry_control has a variable number of arguments, which Swift does not import: makes the library ready, once.
/// Its pages of locked memory are for programs that keep keys; we do not swap them against a small allowance.
static inline void ticds_gcrypt_start(void) {
    gcry_check_version((const char *)0);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}
