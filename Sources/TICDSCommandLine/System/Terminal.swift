package import Glibc
package import SystemCalls
package import SystemPackage
import TICDSStorages

extension Environment {
    /// The program and its arguments, quoted for a shell, without the options of connection strings.
    static var commandLine: String {
        CommandLine.arguments.map { ShellWord.quoted(Array(StorageSchemes.hidden(in: $0).utf8)) }
            .joined(separator: " ")
    }
}

/// The modes of the files that this process creates.
package enum PrivateFiles {
    /// The file mode mask of this process.
    package static var mask: mode_t {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }

    /// Makes the next files private to their owner: other users must not read content that was encrypted in a remote.
    /// Files inside the remote still get the modes of their neighbours.
    package static func begin() { umask(0o077) }
}

/// The terminal behind a descriptor.
package enum Terminal {
    /// Whether the descriptor is a terminal.
    package static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// The columns of the terminal on standard output; nil without one. `COLUMNS` takes precedence.
    package static var width: Int? { width(of: .standardOutput) }

    /// The columns of the terminal behind a descriptor; nil without one. `COLUMNS` takes precedence.
    static func width(of descriptor: FileDescriptor) -> Int? {
        guard isTerminal(descriptor) else { return nil }
        if let text = Environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The columns of the terminal on which questions are asked; nil without one.
    static var controllingWidth: Int? {
        [FileDescriptor.standardError, .standardInput, .standardOutput].lazy.compactMap { width(of: $0) }
            .first
    }

    /// Whether more than ASCII may be drawn: the locale is UTF-8, and the terminal is not `dumb`.
    package static var showsUnicode: Bool {
        let locale = Environment["LC_ALL"] ?? Environment["LC_CTYPE"] ?? Environment["LANG"] ?? "C"
        let name = locale.lowercased()
        return (name.contains("utf-8") || name.contains("utf8")) && Environment["TERM"] != "dumb"
    }
}

extension FileTime {
    /// The milliseconds of the monotonic clock, which cannot be set.
    package static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
