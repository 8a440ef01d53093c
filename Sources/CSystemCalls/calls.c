#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int ticds_open_below(int folder, const char *path, int flags) {
#if defined(SYS_openat2)
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

void ticds_keep_freed_memory(int limit) {
    mallopt(M_MMAP_THRESHOLD, limit);
    mallopt(M_TRIM_THRESHOLD, limit);
}

void ticds_share_freed_memory(int pools) {
    mallopt(M_ARENA_MAX, pools);
}

void ticds_release_freed_memory(void) {
    malloc_trim(0);
}

void ticds_limit_stacks(unsigned long long bytes) {
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size > bytes &&
        pthread_attr_setstacksize(&attributes, (size_t)bytes) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

static char crash_folder[PATH_MAX];
static char crash_program[PATH_MAX];
static char crash_line[2 * PATH_MAX];
static int crash_status;
static atomic_flag crash_begun = ATOMIC_FLAG_INIT;

// Only calls that are safe in a signal handler, and that take no memory.
static void end_by_crash(int number) {
    // ends: when the thread that crashed first ends the process
    while (atomic_flag_test_and_set(&crash_begun)) pause();
    size_t count = strlen(crash_line);
    if (count > 0 && write(STDERR_FILENO, crash_line, count) < 0) count = 1;
    if (crash_folder[0] && umount2(crash_folder, MNT_DETACH | UMOUNT_NOFOLLOW) != 0) {
        // A user has mounted it through this program.
        char *const arguments[] = {crash_program, "-u", "-q", "-z", "--", crash_folder, NULL};
        char *const variables[] = {NULL};
        pid_t child = vfork();
        if (child == 0) {
            execve(crash_program, arguments, variables);
            _exit(127);
        }
        if (child > 0) waitpid(child, NULL, 0);
    }
    if (count > 0) _exit(crash_status);
    signal(number, SIG_DFL);
    raise(number);
}

void ticds_unmount_at_crash(const char *folder, const char *program, const char *line, int status) {
    if (strlen(folder) >= sizeof crash_folder || strlen(program) >= sizeof crash_program ||
        strlen(line) >= sizeof crash_line)
        return;
    strcpy(crash_folder, folder);
    strcpy(crash_program, program);
    strcpy(crash_line, line);
    crash_status = status;
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_crash;
    for (size_t each = 0; each < sizeof numbers / sizeof *numbers; each++) sigaction(numbers[each], &action, NULL);
}

int ticds_rename_new(int from, const char *old, int to, const char *name) {
    return renameat2(from, old, to, name, 1 /* RENAME_NOREPLACE */);
}

int ticds_sync_volume(int descriptor) {
    return syncfs(descriptor);
}

void ticds_start_writing(int descriptor, long long offset, long long count) {
    sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int ticds_finish_writing(int descriptor, long long offset, long long count) {
    int flags = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    if (sync_file_range(descriptor, offset, count, flags) != 0) return errno;
    posix_fadvise(descriptor, offset, count, POSIX_FADV_DONTNEED);
    return 0;
}

unsigned long long ticds_mount_number(int descriptor) {
#if defined(STATX_MNT_ID)
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) == 0 && (status.stx_mask & STATX_MNT_ID))
        return status.stx_mnt_id;
#else
    (void)descriptor;
#endif
    return 0;
}

unsigned ticds_file_system_type(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return 0;
    return (unsigned)status.f_type;
}

unsigned long long ticds_volume_number(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    unsigned long long number = 0;
    memcpy(&number, &status.f_fsid, sizeof number < sizeof status.f_fsid ? sizeof number : sizeof status.f_fsid);
    return number;
}

const char *ticds_run_file(void) {
    return (const char *)getauxval(AT_EXECFN);
}

int ticds_open_unnamed(const char *folder) {
    char name[4096];
    int length, descriptor;
#ifdef O_TMPFILE
    descriptor = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    // A kernel or a file system that does not know the flag takes it for that of a folder.
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return descriptor;
#endif
    length = snprintf(name, sizeof name, "%s/ticds-XXXXXX", folder);
    if (length < 0 || length >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkstemp(name);
    if (descriptor < 0) return -1;
    unlink(name);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int ticds_open_nameless(int folder, unsigned mode) {
#ifdef O_TMPFILE
    return openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, (mode_t)mode);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

int ticds_start_bound(const char *file, char *const arguments[], char *const environment[], int errors) {
    pid_t parent = getpid();
    long files = sysconf(_SC_OPEN_MAX);
    sigset_t none;
    sigemptyset(&none);
    pid_t child = fork();
    if (child != 0) return child;
    // Only calls that are safe after a fork of a process with threads.
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(errors, 2) < 0) _exit(127);
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) files = 3;
#endif
    for (int open = 3; open < files && open < 65536; open++) close(open);
    execve(file, arguments, environment);
    _exit(127);
}

int ticds_end_with_parent(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent ? 0 : -1;
}

int ticds_limit_memory(unsigned long long bytes) {
    struct rlimit none = {0, 0};
    struct rlimit space = {(rlim_t)bytes, (rlim_t)bytes};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    return setrlimit(RLIMIT_AS, &space);
}

long ticds_cores(void) {
    cpu_set_t set;
    // A machine with more processors than the set has room for answers EINVAL.
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int ticds_has_ended(int number) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    if (waitid(P_PID, (id_t)number, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
    return information.si_pid == number;
}

int ticds_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int ticds_spawn_session(void) { return POSIX_SPAWN_SETSID; }

// Where the Swift runtime looks for the arguments first. It would otherwise look for them in the memory before `environ`,
// where they are not if a library that was loaded before the program set a variable.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// Opens those of the descriptors 0 to 2 that are closed. The next file that is opened would otherwise become standard output,
// and messages would be written into it. Reading and writing them goes on failing with EBADF: what was closed on purpose is
// an error as before, not a place where results vanish.
static void hold_standard_descriptors(void) {
    for (int number = 0; number <= 2; number++) {
        if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
        int opened = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
        if (opened < 0) opened = open("/", O_RDONLY);
        if (opened == number) continue;
        static const char message[] = "ticds: the descriptors 0 to 2 are closed, and /dev/null cannot be opened\n";
        if (number == 0 || write(2, message, sizeof message - 1) < 0) _exit(2);
        _exit(2);
    }
}

int ticds_begin(int count, char **arguments, void (*run)(void)) {
    // Commands with progress answer it later; none ends by it.
    signal(SIGUSR1, SIG_IGN);
    hold_standard_descriptors();
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
    run();
    return 0;
}
