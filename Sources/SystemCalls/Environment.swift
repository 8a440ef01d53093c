import Glibc
package import SystemPackage

/// The environment variables and arguments of the process.
package enum Environment {
    /// The value of a variable; nil if unset or empty.
    package static subscript(name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The path in a variable, byte for byte; nil if unset or empty.
    package static func path(_ name: String) -> FilePath? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return FilePath(platformString: value)
    }

    /// The path that an argument names. Arguments that are not UTF-8 reach the parser with U+FFFD in them; their
    /// bytes are taken from the process's own list.
    package static func path(argument: String) -> FilePath {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return FilePath(argument) }
        let given = rawArguments.dropFirst().first { String(cString: $0) == argument }
        return given.map { FilePath(platformString: $0) } ?? FilePath(argument)
    }

    /// The arguments of the process, beginning with its name, with bytes that are not UTF-8 as well.
    package static var rawArguments: [UnsafeMutablePointer<CChar>] {
        (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
    }

    /// The file or folder that an argument names, for arguments that cannot mean standard input or output.
    /// - Throws: `FileProblem` of kind `refused` for `-`.
    package static func file(argument: String) throws(FileProblem) -> FilePath {
        guard argument == "-" else { return path(argument: argument) }
        throw FileProblem(
            .refused, path: "-", "standard input and output cannot be used here",
            advice: "Name a file or folder; ./- is one whose name is a hyphen")
    }

    /// The folder for journals and trash: `$XDG_STATE_HOME/ticds`, otherwise `~/.local/state/ticds`.
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

    /// The number of this process (getpid(2)).
    package static var processNumber: Int32 { getpid() }

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
