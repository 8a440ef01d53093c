#include "CFuse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int ticds_fuse_mount(const char *folder, int device, unsigned user, unsigned group) {
    char options[128];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device, user, group);
    return mount("ticds", folder, "fuse.ticds", MS_NOSUID | MS_NODEV | MS_RDONLY, options) ? errno : 0;
}

int ticds_fuse_unmount(const char *folder) { return umount2(folder, MNT_DETACH | UMOUNT_NOFOLLOW) ? errno : 0; }

int ticds_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

int ticds_receive_descriptor(int socket) {
    char byte;
    struct iovec piece = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    // ends: each round waits for a signal
    while (count < 0 && errno == EINTR);
    if (count <= 0) return -1;
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (!first || first->cmsg_level != SOL_SOCKET || first->cmsg_type != SCM_RIGHTS ||
        first->cmsg_len < CMSG_LEN(sizeof(int)))
        return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
    return descriptor;
}

int ticds_open_process(int number) { return (int)syscall(SYS_pidfd_open, number, 0); }
