#pragma once
#include <errno.h>
#include <unistd.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/syscall.h>
#ifdef SYS_openat2
#include <linux/openat2.h>
#endif
#endif

/// Opens `path` below the open folder without following any symbolic link, not even on the way. Linux has had this
/// call since 5.6; elsewhere it fails with ENOSYS. `syscall` has a variable number of arguments, which Swift does not
/// import.
static inline int ticds_open_below(int folder, const char *path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
    struct open_how how = {0};
    how.flags = (unsigned)flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
    (void)folder, (void)path, (void)flags;
    errno = ENOSYS;
    return -1;
#endif
}

/// Lets malloc keep up to `limit` bytes of freed memory. Its header is in no module.
static inline void ticds_keep_freed_memory(int limit) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, limit);
    mallopt(M_TRIM_THRESHOLD, limit);
#else
    (void)limit;
#endif
}
