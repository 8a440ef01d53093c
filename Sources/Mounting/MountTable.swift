import Glibc

/// The mounts that this process sees (proc_pid_mountinfo(5)).
final class MountTable: Sendable {
    /// A mount.
    struct Entry: Sendable, Equatable {
        /// The number of the file system.
        let device: String
        /// Its place, with U+FFFD for bytes that are not UTF-8.
        let folder: String
        let type: String
        /// The options of the file system.
        let options: [Substring]
    }

    private let descriptor: CInt

    init() { descriptor = open(Self.path, O_RDONLY | O_CLOEXEC) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits this number of milliseconds at most; a signal ends it.
    /// - Returns: whether somebody has mounted or unmounted anything.
    func hasChanged(within milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 && entry.revents & Int16(POLLPRI) != 0
    }

    /// All mounts, in the order of mounting; none if they cannot be read.
    static var entries: [Entry] { text.split(separator: "\n").compactMap { Entry($0) } }

    private static let path = "/proc/self/mountinfo"

    private static var text: String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // ends: at the end of the list, or at 64 MiB
        while bytes.count < 64 << 20 {
            let count = Glibc.read(file, &piece, piece.count)
            if count < 0 { return "" }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MountTable.Entry {
    /// The entry of a line; nil for a line in a different form.
    init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count > 6, let dash = fields.firstIndex(of: "-"), fields.count > dash + 3 else {
            return nil
        }
        device = String(fields[2])
        folder = Self.unescaped(fields[4])
        type = String(fields[dash + 1])
        options = fields[dash + 3].split(separator: ",")
    }

    /// A path without the escapes of the list: a backslash and three octal digits.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
