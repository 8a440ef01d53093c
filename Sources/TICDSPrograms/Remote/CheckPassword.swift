import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct CheckPassword: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-password",
        abstract: "Checks whether a password opens a remote, and with --all which files it opens.",
        discussion: """
            Ends with 0 if the password is right, with 4 if it is wrong, and with 1 if --all finds files \
            that it does not open.

            Examples:
              ticds-remote check-password ~/Dropbox/com.example.app
              ticds-remote check-password ~/Dropbox/com.example.app --all --password-command 'pass show app'
            """)

    @OptionGroup var remote: RemoteOptions

    @Flag(help: "Open every protected file and read it to its end.")
    var all = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try remote.path, password)
        let keyring = try open.keyring()
        if case .unchecked = keyring.state {
            throw FileProblem(
                .missing, path: open.path, "there is no file to try a password on",
                expected: "Encryption/test.ticdsync, or the deviceInfo.plist of a client")
        }
        let census = keyring.key.flatMap { key in all ? open.census(key, password.form, output) : nil }
        if output.json {
            try printJSON(open, census)
        } else {
            try printText(open, census)
        }
        return census.map { $0.plain.isEmpty && $0.unreadable.isEmpty } ?? true ? .success : .findings
    }

    private func printText(_ open: OpenRemote, _ census: EncryptionCensus?) throws {
        var text = output.text()
        if open.snapshot.isEncrypted {
            text.line("The password opens \(open.path).")
        } else {
            text.line("\(open.path) is not encrypted and needs no password.")
        }
        if let census {
            for exception in census.plain + census.unreadable {
                text.line("  \(exception.file.path): \(exception.problem)")
            }
            let counts = [
                (census.sound.count, "opened"), (census.plain.count, "not encrypted"),
                (census.unreadable.count, "not opened"),
            ]
            text.line(
                counts.map { "\(Quantities.count($0.0, "file")) \($0.1)" }.joined(separator: ", ") + ".")
        }
        try text.flush()
    }

    private func printJSON(_ open: OpenRemote, _ census: EncryptionCensus?) throws {
        var json = output.document("ticds.password/1")
        json.field("remote", open.path)
        json.field("application", open.snapshot.applicationIdentifier)
        json.field("encrypted", open.snapshot.isEncrypted)
        json.key("files")
        if let census {
            json.beginObject()
            json.field("opened", census.sound.count)
            json.exceptions("plain", census.plain)
            json.exceptions("notOpened", census.unreadable)
            json.endObject()
        } else {
            json.null()
        }
        try json.finish()
    }
}

extension JSONWriter {
    fileprivate mutating func exceptions(_ name: String, _ exceptions: [EncryptionCensus.Exception]) {
        objects(name, exceptions) { json, exception in
            json.field("path", exception.file.path)
            json.field("problem", exception.problem)
        }
    }
}
