import CFuse
import Glibc
import Synchronization
public import SystemCalls
public import SystemPackage

/// A virtual tree that is mounted on a folder, read only, for the user of this process alone.
public final class FuseMount: Sendable {
    /// The folder.
    public let folder: FilePath
    private let device: CInt
    private let ended = Mutex(false)
    private let table = MountTable()
    /// The number of the file system; nil if it is unknown.
    private let number: String?
    private let running = Atomic(0)

    /// The threads that answer: while one waits for a storage, the others go on.
    private static let threads = 12
    private static let type = "fuse.ticds"

    /// Mounts the tree, and answers for it until ``unmount()``, or until somebody else unmounts it. Removes the dead
    /// mount of a killed process of this user from the folder first.
    /// - Throws: `.missing` if the folder does not exist, and `.unsupported` if the system cannot mount it.
    public init(on path: FilePath, _ server: FuseServer) throws(FileProblem) {
        try Self.removeDead(path)
        guard let folder = try path.resolved() else { throw .noFolder(path) }
        guard try FileStatus.of(folder).kind == .folder else {
            throw FileProblem(.refused, path: path, "is no folder", advice: "Name an empty folder")
        }
        guard Self.entries(at: folder).isEmpty else {
            throw FileProblem(
                .refused, path: path, "is a mount of ticds already",
                advice: "Look into it, or end it: fusermount3 -u \(ShellWord.quoted(path))")
        }
        // What this process reads, such as the remote, must not be below the mount.
        guard try DirectoryReader.entries(of: try OwnedDescriptor.folder(folder)).isEmpty else {
            throw FileProblem(
                .refused, path: path, "is not empty", advice: "Name an empty folder: mkdir makes one")
        }
        self.folder = folder
        device = try geteuid() == 0 ? Self.mount(folder) : Self.mountAsUser(folder)
        number = Self.entries(at: folder).last?.device
        // Any thread may make a large state.
        FreedMemory.share()
        for _ in 0..<Self.threads {
            let device = device
            running.add(1, ordering: .sequentiallyConsistent)
            let thread = SystemThread { [self] in
                server.serve(device)
                running.subtract(1, ordering: .sequentiallyConsistent)
                ended.withLock { $0 = true }
            }
            guard let thread else {
                running.subtract(1, ordering: .sequentiallyConsistent)
                break
            }
            thread.detach()
        }
        guard running.load(ordering: .sequentiallyConsistent) > 0 else {
            unmount()
            throw .noThread(path: folder)
        }
    }

    /// The mounts of ticds on a folder, in the order of mounting.
    private static func entries(at folder: FilePath) -> [MountTable.Entry] {
        MountTable.entries.filter { $0.folder == folder.string && $0.type == type }
    }

    /// Whether somebody has unmounted the file system.
    public var hasEnded: Bool { ended.withLock(\.self) }

    /// Waits so long, or until a signal comes, or until somebody unmounts the file system. Other namespaces, such as those
    /// of containers and services that were started meanwhile, may still have it: the kernel then tells nothing.
    public func wait(milliseconds: UInt32) {
        guard table.hasChanged(within: CInt(clamping: min(milliseconds, 900))), let number else { return }
        let mounts = MountTable.entries
        // Without the table nothing is known.
        if mounts.isEmpty || mounts.contains(where: { $0.device == number }) { return }
        ended.withLock { $0 = true }
    }

    /// Waits for the end of a child process. A signal to this process goes to the child, too.
    /// - Returns: the exit status, or 128 and the number of the signal that ended the child or this wait.
    public func end(of process: Int32) throws(Errno) -> Int32 {
        var status: CInt = 0
        var waited: CInt = 0
        // ends: with the child, or half a second after a signal
        while true {
            let number = waitpid(process, &status, WNOHANG)
            if number < 0, errno != EINTR { throw Errno(rawValue: errno) }
            if number > 0 { break }
            if let signal = EndSignals.caught {
                if waited == 0 { kill(process, signal) }
                waited += 1
                if waited > 25 { return 128 + signal }
            }
            usleep(waited == 0 ? 5_000 : 20_000)
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Removes the mount from sight. Programs that still use it get errors once this process has ended.
    public func unmount() {
        if hasEnded { return }
        Self.remove(folder)
    }

    /// Unmounts the file system also if this process crashes. Where its memory is limited, the crash prints a line, and
    /// the process exits with a status.
    public func unmountAtCrash(printing line: String, status: Int32) {
        Crash.unmount(folder, through: Self.helper, printing: line, status: status)
    }

    private static func remove(_ folder: FilePath) {
        if geteuid() == 0 {
            _ = folder.withPlatformString { ticds_fuse_unmount($0) }
        } else if let program = helper {
            // try?: the mount is then dead, and the next one removes it
            _ = try? ProgramStart(program, words(program, ["-u", "-q", "-z", "--"], folder)).run()
        }
    }

    // MARK: Mounting

    private static let devicePath: FilePath = "/dev/fuse"

    private static func mount(_ folder: FilePath) throws(FileProblem) -> CInt {
        let device = devicePath.withPlatformString { open($0, O_RDWR | O_CLOEXEC) }
        guard device >= 0 else { throw noDevice(Errno(rawValue: errno)) }
        let number = folder.withPlatformString { ticds_fuse_mount($0, device, geteuid(), getegid()) }
        guard number == 0 else {
            close(device)
            throw FileProblem(
                .unsupported, path: folder, "nothing can be mounted here",
                found: "\(Errno(rawValue: number))",
                advice: "In a container, allow mounts: docker run --device /dev/fuse --cap-add SYS_ADMIN")
        }
        return device
    }

    private static func noDevice(_ error: Errno) -> FileProblem {
        FileProblem(
            .unsupported, path: devicePath, "the system cannot mount a file system of a program",
            found: "\(error)",
            advice:
                "Load the module: modprobe fuse; a container needs the device: docker run --device /dev/fuse")
    }

    /// A user mounts through a program with the right to do so.
    private static func mountAsUser(_ folder: FilePath) throws(FileProblem) -> CInt {
        guard access(devicePath.string, F_OK) == 0 else { throw noDevice(Errno(rawValue: errno)) }
        guard let program = helper else {
            throw FileProblem(
                .unsupported, path: "fusermount3",
                "this program is not installed, through which a user mounts",
                advice: "Install the package fuse3: apt install fuse3")
        }
        var ends: [CInt] = [-1, -1]
        guard ticds_socket_pair(&ends) == 0 else {
            throw FileProblem(Errno(rawValue: errno), path: folder)
        }
        let options = ["-o", "ro,nosuid,nodev,fsname=ticds,subtype=ticds", "--"]
        var start = ProgramStart(program, words(program, options, folder))
        start.input = ends[0]
        start.variables["_FUSE_COMMFD"] = "0"
        let begun = Result { () throws(Errno) in try start.begin() }
        close(ends[0])
        defer { close(ends[1]) }
        do throws(Errno) {
            let process = try begun.get()
            let device = ticds_receive_descriptor(ends[1])
            let status = try ProgramStart.end(of: process)
            if device >= 0, status == 0 { return device }
            if device >= 0 { close(device) }
            throw Errno.permissionDenied
        } catch {
            throw FileProblem(
                .unsupported, path: folder, "fusermount3 did not mount anything here", found: "\(error)",
                advice: "Choose an empty folder of your own; the message of fusermount3 says more")
        }
    }

    private static var helper: FilePath? {
        for folder in ["/usr/bin", "/bin", "/usr/local/bin"] {
            for name in ["fusermount3", "fusermount"] {
                let path = FilePath("\(folder)/\(name)")
                if path.withPlatformString({ access($0, X_OK) }) == 0 { return path }
            }
        }
        return nil
    }

    private static func words(_ program: FilePath, _ options: [String], _ folder: FilePath) -> [[UInt8]] {
        ([program.string] + options).map { Array($0.utf8) }
            + [folder.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }]
    }

    // MARK: Dead mounts

    /// Removes a mount whose process was killed, if it is one of ticds and of this user.
    public static func removeDead(_ path: FilePath) throws(FileProblem) {
        // ends: after some mounts on top of each other
        for _ in 0..<16 {
            guard isDead(path) else { return }
            guard let place = try path.resolvedInFolder(), isOwn(place) else {
                throw FileProblem(
                    .refused, path: path, "is the mount of a program that has ended, and not one of ticds",
                    advice: "Unmount it: fusermount3 -u -z \(ShellWord.quoted(path))")
            }
            remove(place)
        }
    }

    /// Whether nobody answers for a mount any more. The kernel may still know the status of its folder.
    private static func isDead(_ path: FilePath) -> Bool {
        let folder = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC) }
        if folder < 0 { return errno == ENOTCONN }
        close(folder)
        return false
    }

    private static func isOwn(_ folder: FilePath) -> Bool {
        entries(at: folder).contains { entry in
            geteuid() == 0 || entry.options.contains("user_id=\(geteuid())")
        }
    }
}

/// The end of another process.
public final class ProcessWatch: Sendable {
    private let descriptor: CInt

    /// Watches a process; nil if it cannot be watched, or is the first one.
    public init?(_ number: Int32) {
        guard number > 1 else { return nil }
        let descriptor = ticds_open_process(number)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Waits this number of milliseconds at most; a signal ends it.
    /// - Returns: whether the process has ended.
    public func hasEnded(within milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
