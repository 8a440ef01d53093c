import Glibc
package import SystemCalls
import SystemPackage

/// This host and this user, for journal and locks.
public enum HostIdentity {
    /// The holder of a lock, as one line.
    public static func holder(_ command: String) -> String {
        "process \(process) on \(host), since \(FileTime.now.iso): \(command)\n"
    }

    static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "?" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    static var user: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "\(geteuid())" }
        return String(cString: name)
    }

    static var userNumber: UInt32 { geteuid() }

    /// Owner, group and mode of new entries that only this user may read.
    package static var privateModel: FileStatus {
        FileStatus(
            kind: .folder, size: 0, modified: FileTime(seconds: 0), mode: 0o700, owner: geteuid(),
            group: getegid())
    }

    static var process: Int32 { getpid() }

    /// The boot ID of the kernel: different for each machine and each start. Containers share it with their host, as
    /// they share its locks. Empty if the system has none.
    static let boot = line(of: "/proc/sys/kernel/random/boot_id")

    /// The machine ID, which stays the same when the machine restarts. Empty if the system has none.
    package static let identifier = line(of: "/etc/machine-id")

    private static func line(of path: FilePath) -> String {
        // Files of the kernel have no size.
        // try?: empty, as said above
        guard let file = try? OwnedDescriptor.file(path),
            let memory = try? PrivateBytes(count: 100, path: path),  // try?: as above
            let count = try? file.read(into: memory.memory, at: 0)  // try?: as above
        else { return "" }
        return String(decoding: memory.memory.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
    }
}
