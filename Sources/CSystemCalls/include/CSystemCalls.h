#pragma once

// System calls that Swift does not import: variable numbers of arguments, or headers that are in no module.

/// Opens `path` below the open folder without following any symbolic link, not even on the way. Linux has had this
/// call since 5.6; elsewhere it fails with ENOSYS.
int ticds_open_below(int folder, const char *path, int flags);

/// Lets malloc keep up to `limit` bytes of freed memory.
void ticds_keep_freed_memory(int limit);

/// Memory of at most this number of pools for all threads that start from now on (mallopt(3)).
void ticds_share_freed_memory(int pools);

/// Returns the memory that nothing uses to the system (malloc_trim(3)).
void ticds_release_freed_memory(void);

/// Makes the stacks of threads that start from now on at most this large.
void ticds_limit_stacks(unsigned long long bytes);

/// From now on, a crash of this process removes the mount on `folder`, which would otherwise answer nobody and stay.
/// `program` is the fusermount3(1) for users who may not unmount. If `line` is not empty, the crash prints it on standard
/// error, and the process exits with `status`.
void ticds_unmount_at_crash(const char *folder, const char *program, const char *line, int status);

/// Gives an entry another name, which must not be taken: fails with EEXIST then, and with EINVAL or ENOSYS where the
/// file system cannot promise it.
int ticds_rename_new(int from, const char *old, int to, const char *name);

/// Forces everything that was written to the volume of an open file to disk.
int ticds_sync_volume(int descriptor);

/// Lets the disk begin to take a part of a file, without waiting for it: less is left then for the call that waits.
void ticds_start_writing(int descriptor, long long offset, long long count);

/// Waits until the disk has taken a part of a file, and drops it from memory. Returns 0 or an error number.
int ticds_finish_writing(int descriptor, long long offset, long long count);

/// The number of the mount that an open file or folder lies on; 0 where the system does not tell. A rename from one
/// mount to another fails, even where both show the same disk.
unsigned long long ticds_mount_number(int descriptor);

/// The number of the type of the file system that `path` lies on, by statfs(2); 0 where that cannot be told. On other
/// systems than Linux 1 for a drive of the network, else 0.
unsigned ticds_file_system_type(const char *path);

/// The number that a file system gives itself, by fstatfs(2), for the volume of an open file; on disks it stays the same
/// when they are mounted again. 0 where there is none.
unsigned long long ticds_volume_number(int descriptor);

/// The path of the file that this process runs, as whoever started it named it; null where the system does not tell.
const char *ticds_run_file(void);

/// Opens a new file without a name in `folder`, for reading and writing, readable by its owner only. Where the file system
/// has no such files, the file had a name for a moment.
int ticds_open_unnamed(const char *folder);

/// Opens a new file without a name in an open folder, for writing; linkat(2) gives it one. Returns -1 with EOPNOTSUPP, EISDIR,
/// EINVAL or ENOTSUP if the file system has no such files.
int ticds_open_nameless(int folder, unsigned mode);

/// Starts the program `file`, which ends by SIGTERM when the thread that calls this ends, also with a killed process. It
/// gets no input, its output goes nowhere, its errors to the open file `errors`; it is in a session of its own, so that
/// signals of the terminal do not reach it, and inherits no other open file. Returns its number, or -1 with errno.
int ticds_start_bound(const char *file, char *const arguments[], char *const environment[], int errors);

/// Has this process killed when the thread of `parent` that started it ends, also when that process is killed. Returns -1
/// if `parent` is not the parent any more.
int ticds_end_with_parent(int parent);

/// Limits the address space of this process, and lets it write no core file. Returns -1 if the system refuses.
int ticds_limit_memory(unsigned long long bytes);

/// The number of processors that this process may run on.
long ticds_cores(void);

/// Whether the child process `number` has ended; it is not reaped.
int ticds_has_ended(int number);

/// pipe2(2), with ends that close in each program that is started. Returns 0, or -1 with `errno`.
int ticds_pipe(int ends[2]);

/// The flag with which posix_spawn(3) starts a program in a session of its own.
int ticds_spawn_session(void);

/// Begins a program: what its `main` got becomes the arguments of the process for all code in Swift, and `run` runs.
int ticds_begin(int count, char **arguments, void (*run)(void));
