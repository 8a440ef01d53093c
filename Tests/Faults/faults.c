// Loaded in front of the C library (LD_PRELOAD), this counts the calls with which a program changes files, and makes
// one of them fail, write a part only, or be the last thing that the process does.
//
// TICDS_FAULT=count:FILE        writes the number of calls to FILE when the process ends
// TICDS_FAULT=kill:N            SIGKILL before call N
// TICDS_FAULT=after:N           SIGKILL right after call N
// TICDS_FAULT=short:N           call N, where it writes, writes half; SIGKILL right after it
// TICDS_FAULT=fail:N:ERRNO      call N fails with that error
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOTHING, COUNT, KILL, AFTER, SHORT, FAIL };
static int mode = NOTHING;
static long target;
static int number;
static const char *file;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("TICDS_FAULT");
    if (!text) return;
    if (!strncmp(text, "count:", 6)) { mode = COUNT; file = text + 6; }
    else if (!strncmp(text, "kill:", 5)) { mode = KILL; target = atol(text + 5); }
    else if (!strncmp(text, "after:", 6)) { mode = AFTER; target = atol(text + 6); }
    else if (!strncmp(text, "short:", 6)) { mode = SHORT; target = atol(text + 6); }
    else if (!strncmp(text, "fail:", 5)) { mode = FAIL; sscanf(text + 5, "%ld:%d", &target, &number); }
}

__attribute__((destructor)) static void end(void) {
    if (mode != COUNT) return;
    mode = NOTHING;
    FILE *out = fopen(file, "w");
    if (!out) return;
    fprintf(out, "%ld\n", (long)calls);
    fclose(out);
}

// True where this call is the one that is to fail.
static int before(void) {
    if (mode == NOTHING) return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (mode == KILL && call == target) raise(SIGKILL);
    if (mode == FAIL && call == target) { errno = number; return 1; }
    return 0;
}

static int isTarget(void) { return calls == target; }

static void after(void) {
    if ((mode == AFTER || mode == SHORT) && isTarget()) raise(SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRAP(result, name, parameters, arguments)            \
    result name parameters {                                 \
        if (before()) return -1;                             \
        result value = NEXT(name) arguments;                 \
        int kept = errno;                                    \
        after();                                             \
        errno = kept;                                        \
        return value;                                        \
    }

WRAP(int, mkdir, (const char *a, mode_t b), (a, b))
WRAP(int, mkdirat, (int f, const char *a, mode_t b), (f, a, b))
WRAP(int, symlinkat, (const char *a, int f, const char *b), (a, f, b))
WRAP(int, rename, (const char *a, const char *b), (a, b))
WRAP(int, renameat, (int f, const char *a, int g, const char *b), (f, a, g, b))
WRAP(int, renameat2, (int f, const char *a, int g, const char *b, unsigned int c), (f, a, g, b, c))
WRAP(int, linkat, (int f, const char *a, int g, const char *b, int c), (f, a, g, b, c))
WRAP(int, unlink, (const char *a), (a))
WRAP(int, unlinkat, (int f, const char *a, int b), (f, a, b))
WRAP(int, rmdir, (const char *a), (a))
WRAP(int, utimensat, (int f, const char *a, const struct timespec b[2], int c), (f, a, b, c))
WRAP(int, futimens, (int f, const struct timespec b[2]), (f, b))
WRAP(int, fsync, (int f), (f))
WRAP(int, fdatasync, (int f), (f))
WRAP(int, ftruncate, (int f, off_t a), (f, a))
WRAP(int, ftruncate64, (int f, off64_t a), (f, a))
WRAP(int, fchmod, (int f, mode_t a), (f, a))

#define WRAP_WRITE(name, offset_type)                                            \
    ssize_t name(int f, const void *a, size_t n, offset_type o) {                \
        if (before()) return -1;                                                 \
        if (mode == SHORT && isTarget() && n > 1) n /= 2;                        \
        ssize_t value = NEXT(name)(f, a, n, o);                                  \
        int kept = errno;                                                        \
        after();                                                                 \
        errno = kept;                                                            \
        return value;                                                            \
    }
WRAP_WRITE(pwrite, off_t)
WRAP_WRITE(pwrite64, off64_t)

ssize_t write(int f, const void *a, size_t n) {
    // What is said to people changes no file.
    if (f <= 2) return NEXT(write)(f, a, n);
    if (before()) return -1;
    if (mode == SHORT && isTarget() && n > 1) n /= 2;
    ssize_t value = NEXT(write)(f, a, n);
    int kept = errno;
    after();
    errno = kept;
    return value;
}

// Only those that make a file.
#define WRAP_OPEN(name, parameters, arguments)                 \
    int name parameters {                                      \
        mode_t mode_ = 0;                                      \
        if (flags & O_CREAT) {                                 \
            va_list list;                                      \
            va_start(list, flags);                             \
            mode_ = va_arg(list, mode_t);                      \
            va_end(list);                                      \
            if (before()) return -1;                           \
        }                                                      \
        int value = NEXT(name) arguments;                      \
        int kept = errno;                                      \
        if (flags & O_CREAT) after();                          \
        errno = kept;                                          \
        return value;                                          \
    }
WRAP_OPEN(open, (const char *a, int flags, ...), (a, flags, mode_))
WRAP_OPEN(open64, (const char *a, int flags, ...), (a, flags, mode_))
WRAP_OPEN(openat, (int f, const char *a, int flags, ...), (f, a, flags, mode_))
WRAP_OPEN(openat64, (int f, const char *a, int flags, ...), (f, a, flags, mode_))
