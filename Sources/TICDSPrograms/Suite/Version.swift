import ArgumentParser
import CArchive
import CSQLite
import Cryptography
import TICDSCommandLine

/// `ticds version`: the version of the suite and of the libraries it runs with.
struct Version: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version of the suite and of its libraries.",
        usage: "ticds version [--json]",
        discussion: "Example: ticds version --json")

    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        if output.json { try printDocument() } else { try printText() }
        return .success
    }

    /// Name, JSON key and version of each library, the shared ones as they are at this moment.
    private var libraries: [(name: String, key: String, version: String)] {
        [
            ("SQLite", "sqlite", String(cString: sqlite3_libversion())),
            ("libarchive", "libarchive", libarchiveVersion),
            ("libgcrypt", "libgcrypt", Gcrypt.version),
            ("Swift", "swift", "\(_SwiftStdlibVersion.current)"),
        ]
    }

    private var libarchiveVersion: String {
        let number = archive_version_number()
        return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }

    private func printDocument() throws {
        var json = output.document("ticds.version/1")
        json.field("version", SuiteVersion.current)
        json.beginObject("libraries")
        for library in libraries { json.field(library.key, library.version) }
        json.endObject()
        try json.finish()
    }

    private func printText() throws {
        var text = output.text()
        text.line("ticds \(SuiteVersion.current)")
        for library in libraries { text.line("\(library.name) \(library.version)") }
        try text.flush()
    }
}
