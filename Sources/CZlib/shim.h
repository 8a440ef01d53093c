#pragma once
/// Input is not written to.
#define ZLIB_CONST
#include <zlib.h>

/// inflateInit2 and deflateInit2 are macros, which Swift does not import. Both are for raw deflate data.
static inline int ticds_inflate_start(z_streamp stream) { return inflateInit2(stream, -MAX_WBITS); }
static inline int ticds_deflate_start(z_streamp stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
