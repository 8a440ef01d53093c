#pragma once

// Calls of the kernel about file systems in programs (fuse(4)) and processes that Swift does not import, and the messages
// of the kernel.

#include <linux/fuse.h>

/// Mounts the file system that is served through `device` on `folder`, read only, as the superuser may. Returns 0 or an
/// error number.
int ticds_fuse_mount(const char *folder, int device, unsigned user, unsigned group);

/// Removes the mount on `folder` from sight, whoever uses it, as the superuser may. Returns 0 or an error number.
int ticds_fuse_unmount(const char *folder);

/// A pair of connected sockets that close in each program that is started. Returns 0, or -1 with `errno`.
int ticds_socket_pair(int ends[2]);

/// The open file that the other end of a socket sends; -1 if it sends none.
int ticds_receive_descriptor(int socket);

/// A descriptor that becomes readable when the process ends (pidfd_open(2)); -1 with `errno`.
int ticds_open_process(int number);
