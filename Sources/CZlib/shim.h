#pragma once
/// Input is not written to.
#define ZLIB_CONST
#include <zlib.h>

/// inflateInit2 and deflateInit2 are macros, which Swift does not import. The first and the last are for raw deflate
/// data, the second one is for gzip.
static inline int ticds_inflate_start(z_streamp stream) { return inflateInit2(stream, -MAX_WBITS); }
static inline int ticds_gunzip_start(z_streamp stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
static inline int ticds_deflate_start(z_streamp stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
