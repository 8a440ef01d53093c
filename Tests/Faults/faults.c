// Loaded in front of the C library (LD_PRELOAD), this counts the calls with which a program changes files, and makes
// one of them fail, write a part only, or be the last thing that the process does; or it counts the calls with which a
// program looks at files (open, stat, access, readlink, readdir, read), and makes one of those fail.
//
// TICDS_FAULT=count:FILE        writes the number of calls to FILE when the process ends
// TICDS_FAULT=kill:N            SIGKILL before call N
// TICDS_FAULT=after:N           SIGKILL right after call N
// TICDS_FAULT=short:N           call N, where it writes, writes half; SIGKILL right after it
// TICDS_FAULT=fail:N:ERRNO      call N fails with that error
// TICDS_FAULT=fail:N:ERRNO:M    call N fails with that error; SIGKILL before the M-th call after it
// TICDS_FAULT=from:N:ERRNO      call N and all after it fail with that error
// TICDS_FAULT=lacks:NAME:ERRNO  every call of that function fails with that error: the file system cannot do it
// TICDS_FAULT=lacks:pthread:ERRNO  the system has no thread for the process
// TICDS_FAULT=lacks:digest:ERRNO, lacks:cipher:ERRNO  libgcrypt has no memory for one
// TICDS_FAULT=memory:BYTES      the system has no memory for more than that many bytes at a time
// TICDS_FAULT=clock             the clock that can be set goes back an hour with each look at it
// TICDS_FAULT=ahead:SECONDS     the clock that can be set is that much ahead
// TICDS_FAULT=times:LAST:STEP   times end at second LAST, and are multiples of STEP nanoseconds
// TICDS_FAULT=numbers           a hard link has an inode number of its own
// TICDS_FAULT=looks:FILE        writes the number of calls that look to FILE when the process ends
// TICDS_FAULT=once:N:ERRNO:FILE   call N of those that look fails; FILE gets the call and the path that it was about
// TICDS_FAULT=blind:N:ERRNO:FILE  the same, and from then on every call that looks at that path
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { NOTHING, COUNT, KILL, AFTER, SHORT, FAIL, FROM, LACKS, MEMORY, CLOCK, AHEAD, TIMES, NUMBERS, LOOKS, ONCE, BLIND };
static int mode = NOTHING;
static long target;
static long later;
static char lacking[64];
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
    else if (!strncmp(text, "fail:", 5)) { mode = FAIL; sscanf(text + 5, "%ld:%d:%ld", &target, &number, &later); }
    else if (!strncmp(text, "from:", 5)) { mode = FROM; sscanf(text + 5, "%ld:%d", &target, &number); }
    else if (!strncmp(text, "lacks:", 6)) { mode = LACKS; sscanf(text + 6, "%63[a-z0-9]:%d", lacking, &number); }
    else if (!strncmp(text, "memory:", 7)) { mode = MEMORY; target = atol(text + 7); }
    else if (!strcmp(text, "clock")) mode = CLOCK;
    else if (!strncmp(text, "ahead:", 6)) { mode = AHEAD; target = atol(text + 6); }
    else if (!strncmp(text, "times:", 6)) { mode = TIMES; sscanf(text + 6, "%ld:%d", &target, &number); }
    else if (!strcmp(text, "numbers")) mode = NUMBERS;
    else if (!strncmp(text, "looks:", 6)) { mode = LOOKS; file = text + 6; }
    else if (!strncmp(text, "once:", 5) || !strncmp(text, "blind:", 6)) {
        int used = 0;
        const char *rest = strchr(text, ':') + 1;
        if (sscanf(rest, "%ld:%d:%n", &target, &number, &used) < 2 || !used) return;
        file = rest + used;
        mode = text[0] == 'o' ? ONCE : BLIND;
    }
}

__attribute__((destructor)) static void end(void) {
    if (mode != COUNT && mode != LOOKS) return;
    mode = NOTHING;
    FILE *out = fopen(file, "w");
    if (!out) return;
    fprintf(out, "%ld\n", (long)calls);
    fclose(out);
}

// True where this call is the one that is to fail.
static int before_(const char *name) {
    if (mode == NOTHING || mode >= TIMES) return 0;
    if (mode == LACKS) {
        if (strcmp(name, lacking)) return 0;
        errno = number;
        return 1;
    }
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (mode == KILL && call == target) raise(SIGKILL);
    if (mode == FAIL && later && call == target + later) raise(SIGKILL);
    if ((mode == FAIL && call == target) || (mode == FROM && call >= target)) { errno = number; return 1; }
    return 0;
}

#define before() before_(__func__)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char blind[PATH_MAX * 2];

// The path that a call is about: of the entry `name` of the folder `f`, or of `f` itself where `name` is empty.
static void resolve(int f, const char *name, char *path, size_t size) {
    if (!strcmp(name, ".")) name = "";
    if (name[0] == '/' || (f == AT_FDCWD && *name)) {
        snprintf(path, size, "%s", name);
        return;
    }
    char link[64], folder[PATH_MAX];
    snprintf(link, sizeof link, f == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", f);
    long count = syscall(SYS_readlink, link, folder, sizeof folder - 1);
    folder[count > 0 ? count : 0] = 0;
    snprintf(path, size, *name ? "%s/%s" : "%s%s", folder, name);
}

// True where this call, which looks at a file, is to fail. What lies below /proc is left alone: libdispatch looks there at
// the threads of its process, whenever it likes, and ends the process where it cannot.
static int looks(const char *call, int f, const char *name) {
    if (mode < LOOKS) return 0;
    int kept = errno, fails = 0;
    char path[sizeof blind];
    resolve(f, name, path, sizeof path);
    if (!strncmp(path, "/proc/", 6)) {
        errno = kept;
        return 0;
    }
    long position = atomic_fetch_add(&calls, 1) + 1;
    if (mode != LOOKS && (position == target || (mode == BLIND && position > target))) {
        pthread_mutex_lock(&lock);
        if (position == target) {
            strcpy(blind, path);
            int out = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (out >= 0) {
                dprintf(out, "%s %s\n", call, path);
                close(out);
            }
            fails = 1;
        } else {
            fails = blind[0] && !strcmp(blind, path);
        }
        pthread_mutex_unlock(&lock);
    }
    errno = fails ? number : kept;
    return fails;
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

// What a file system with other times makes of these.
static const struct timespec *kept(const struct timespec times[2]) {
    static _Thread_local struct timespec changed[2];
    if (mode != TIMES || !times) return times;
    for (int i = 0; i < 2; i++) {
        changed[i] = times[i];
        changed[i].tv_nsec -= changed[i].tv_nsec % number;
        if (changed[i].tv_sec < INT_MIN) changed[i] = (struct timespec){INT_MIN, 0};
        if (changed[i].tv_sec >= target) changed[i] = (struct timespec){target, 0};
    }
    return changed;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (mode == LACKS && !strcmp(lacking, "pthread")) return number;
    return NEXT(pthread_create)(thread, attributes, body, argument);
}

// The error ENOMEM of libgcrypt: its source, the bit of system errors, and the number.
static const unsigned int no_memory = 1u << 24 | 1u << 15 | 86;

unsigned int gcry_md_open(void **handle, int algorithm, unsigned int flags) {
    if (mode == LACKS && !strcmp(lacking, "digest")) return no_memory;
    return NEXT(gcry_md_open)(handle, algorithm, flags);
}

unsigned int gcry_cipher_open(void **handle, int algorithm, int kind, unsigned int flags) {
    if (mode == LACKS && !strcmp(lacking, "cipher")) return no_memory;
    return NEXT(gcry_cipher_open)(handle, algorithm, kind, flags);
}

extern void *__libc_malloc(size_t);

void *malloc(size_t size) {
    if (mode != MEMORY || size <= (size_t)target) return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

WRAP(int, mkdir, (const char *a, mode_t b), (a, b))
WRAP(int, mkdirat, (int f, const char *a, mode_t b), (f, a, b))
WRAP(int, symlinkat, (const char *a, int f, const char *b), (a, f, b))
WRAP(int, rename, (const char *a, const char *b), (a, b))
WRAP(int, renameat, (int f, const char *a, int g, const char *b), (f, a, g, b))
WRAP(int, renameat2, (int f, const char *a, int g, const char *b, unsigned int c), (f, a, g, b, c))

int linkat(int f, const char *a, int g, const char *b, int c) {
    if (before()) return -1;
    if (mode == NUMBERS) {
        char bytes[65536];
        int in = openat(f, a, O_RDONLY | O_CLOEXEC);
        int out = in < 0 ? -1 : openat(g, b, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        ssize_t count = out < 0 ? -1 : read(in, bytes, sizeof bytes);
        int value = count >= 0 && write(out, bytes, count) == count ? 0 : -1;
        int kept = errno;
        if (in >= 0) close(in);
        if (out >= 0) close(out);
        errno = kept;
        return value;
    }
    int value = NEXT(linkat)(f, a, g, b, c);
    int kept = errno;
    after();
    errno = kept;
    return value;
}

WRAP(int, unlink, (const char *a), (a))
WRAP(int, unlinkat, (int f, const char *a, int b), (f, a, b))
WRAP(int, rmdir, (const char *a), (a))
WRAP(int, utimensat, (int f, const char *a, const struct timespec b[2], int c), (f, a, kept(b), c))
WRAP(int, futimens, (int f, const struct timespec b[2]), (f, kept(b)))
WRAP(int, fsync, (int f), (f))
WRAP(int, fdatasync, (int f), (f))
WRAP(int, ftruncate, (int f, off_t a), (f, a))
WRAP(int, ftruncate64, (int f, off64_t a), (f, a))
WRAP(int, fchmod, (int f, mode_t a), (f, a))

int clock_gettime(clockid_t clock, struct timespec *time) {
    static atomic_long looks;
    int value = NEXT(clock_gettime)(clock, time);
    if (mode == CLOCK && clock == CLOCK_REALTIME) time->tv_sec -= 3600 * atomic_fetch_add(&looks, 1);
    if (mode == AHEAD && clock == CLOCK_REALTIME) time->tv_sec += target;
    return value;
}

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

// Those that make a file change the folder; all of them look.
#define WRAP_OPEN(name, folder, parameters, arguments)         \
    int name parameters {                                      \
        mode_t mode_ = 0;                                      \
        if (flags & O_CREAT) {                                 \
            va_list list;                                      \
            va_start(list, flags);                             \
            mode_ = va_arg(list, mode_t);                      \
            va_end(list);                                      \
            if (before()) return -1;                           \
        }                                                      \
        if (looks(#name, folder, a)) return -1;                \
        int value = NEXT(name) arguments;                      \
        int kept = errno;                                      \
        if (flags & O_CREAT) after();                          \
        errno = kept;                                          \
        return value;                                          \
    }
WRAP_OPEN(open, AT_FDCWD, (const char *a, int flags, ...), (a, flags, mode_))
WRAP_OPEN(open64, AT_FDCWD, (const char *a, int flags, ...), (a, flags, mode_))
WRAP_OPEN(openat, f, (int f, const char *a, int flags, ...), (f, a, flags, mode_))
WRAP_OPEN(openat64, f, (int f, const char *a, int flags, ...), (f, a, flags, mode_))

// What the suite calls without a function of the C library: openat2.
long syscall(long call, ...) {
    long a[6];
    va_list list;
    va_start(list, call);
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (call == SYS_openat2 && looks("openat2", (int)a[0], (const char *)a[1])) return -1;
    return NEXT(syscall)(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define LOOK(result, failed, name, folder, path, parameters, arguments) \
    result name parameters {                                            \
        if (looks(#name, folder, path)) return failed;                  \
        return NEXT(name) arguments;                                    \
    }

LOOK(int, -1, fstatat, f, a, (int f, const char *restrict a, struct stat *restrict b, int c), (f, a, b, c))
LOOK(int, -1, fstatat64, f, a, (int f, const char *restrict a, struct stat64 *restrict b, int c), (f, a, b, c))
LOOK(int, -1, stat, AT_FDCWD, a, (const char *restrict a, struct stat *restrict b), (a, b))
LOOK(int, -1, stat64, AT_FDCWD, a, (const char *restrict a, struct stat64 *restrict b), (a, b))
LOOK(int, -1, lstat, AT_FDCWD, a, (const char *restrict a, struct stat *restrict b), (a, b))
LOOK(int, -1, lstat64, AT_FDCWD, a, (const char *restrict a, struct stat64 *restrict b), (a, b))
LOOK(int, -1, fstat, f, "", (int f, struct stat *b), (f, b))
LOOK(int, -1, fstat64, f, "", (int f, struct stat64 *b), (f, b))
LOOK(int, -1, access, AT_FDCWD, a, (const char *a, int b), (a, b))
LOOK(int, -1, faccessat, f, a, (int f, const char *a, int b, int c), (f, a, b, c))
LOOK(ssize_t, -1, readlink, AT_FDCWD, a, (const char *restrict a, char *restrict b, size_t n), (a, b, n))
LOOK(ssize_t, -1, readlinkat, f, a, (int f, const char *restrict a, char *restrict b, size_t n), (f, a, b, n))
LOOK(char *, NULL, realpath, AT_FDCWD, a, (const char *restrict a, char *restrict b), (a, b))
LOOK(DIR *, NULL, opendir, AT_FDCWD, a, (const char *a), (a))
LOOK(struct dirent *, NULL, readdir, dirfd(d), "", (DIR *d), (d))
LOOK(struct dirent64 *, NULL, readdir64, dirfd(d), "", (DIR *d), (d))

// Pipes and terminals are no files.
static int isRegular(int f) {
    struct stat status;
    return mode >= LOOKS && f > 2 && !NEXT(fstat)(f, &status) && S_ISREG(status.st_mode);
}

#define READ(name, parameters, arguments)                          \
    ssize_t name parameters {                                      \
        if (isRegular(f) && looks(#name, f, "")) return -1;        \
        return NEXT(name) arguments;                               \
    }
READ(read, (int f, void *a, size_t n), (f, a, n))
READ(pread, (int f, void *a, size_t n, off_t o), (f, a, n, o))
READ(pread64, (int f, void *a, size_t n, off64_t o), (f, a, n, o))
