package import Glibc
import SystemCalls
package import SystemPackage

/// The environment variables and arguments of the process.
package enum Environment {
    /// The value of a variable; nil when unset or empty.
    package static subscript(name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// A path out of a variable, byte for byte; nil when unset or empty.
    package static func path(_ name: String) -> FilePath? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return FilePath(platformString: value)
    }

    /// The path that an argument names. Arguments that are not UTF-8 reach the parser with U+FFFD in them; their
    /// bytes are taken from the process's own list.
    package static func path(argument: String) -> FilePath {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return FilePath(argument) }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { continue }
            if String(cString: bytes) == argument { return FilePath(platformString: bytes) }
        }
        return FilePath(argument)
    }

    /// Where programs of the suite keep journals and trash: `$XDG_STATE_HOME/ticds`, otherwise
    /// `~/.local/state/ticds`.
    /// - Throws: `FileProblem` of kind `missing` if neither variable names an absolute path.
    package static var stateHome: FilePath {
        get throws(FileProblem) {
            if let path = path("XDG_STATE_HOME"), path.isAbsolute { return path.appending("ticds") }
            if let home = path("HOME"), home.isAbsolute {
                return home.pushing(FilePath(".local/state/ticds"))
            }
            throw FileProblem(
                .missing, path: "~", "there is no folder for the journal: HOME is not set",
                advice: "Set XDG_STATE_HOME to a folder that can be written")
        }
    }

    /// The program and its arguments, as a shell would take them, without the options of connection strings.
    static var commandLine: String {
        CommandLine.arguments.map { ShellWord.quoted(Array(StorageSchemes.hidden(in: $0).utf8)) }
            .joined(separator: " ")
    }

    /// The number of this process.
    static var process: Int32 { getpid() }

    /// The number of this process (getpid(2)).
    package static var processNumber: Int32 { process }

    /// The name of the machine (gethostname(2)).
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "ticds" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "ticds" : String(decoding: bytes, as: UTF8.self)
    }

    /// The name by which the program was called, without its folder.
    package static let programName: String =
        FilePath(CommandLine.arguments.first ?? "ticds").lastComponent?.string ?? "ticds"
}

/// The modes of the files that this process creates.
package enum PrivateFiles {
    /// The file mode mask of this process.
    package static var mask: mode_t {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }

    /// Makes the next files private to their owner: others must not read what was encrypted in a remote. Files inside the
    /// remote still get the modes of their neighbours.
    package static func begin() { umask(0o077) }
}

/// What is known of the terminal behind a descriptor.
package enum Terminal {
    /// True when the descriptor is a terminal.
    package static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }

    /// Columns of the terminal on standard output; nil without one. `COLUMNS` takes precedence.
    package static var width: Int? { width(of: .standardOutput) }

    /// Columns of the terminal behind a descriptor; nil without one. `COLUMNS` takes precedence.
    static func width(of descriptor: FileDescriptor) -> Int? {
        guard isTerminal(descriptor) else { return nil }
        if let text = Environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether more than ASCII may be drawn: the locale is UTF-8, and the terminal is not `dumb`.
    package static var showsUnicode: Bool {
        let locale = Environment["LC_ALL"] ?? Environment["LC_CTYPE"] ?? Environment["LANG"] ?? "C"
        let name = locale.lowercased()
        return (name.contains("utf-8") || name.contains("utf8")) && Environment["TERM"] != "dumb"
    }
}

extension FileTime {
    /// Milliseconds of the monotonic clock, which nobody can set.
    static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
