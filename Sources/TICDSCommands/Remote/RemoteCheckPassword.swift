import ArgumentParser
import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct RemoteCheckPassword: SuiteCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password, context)
        let keyring = try open.keyring()
        if case .unchecked = keyring.state {
            throw FileProblem(
                .missing, path: open.path, "there is no file to try a password on",
                expected: "Encryption/test.ticdsync, or the deviceInfo.plist of a client",
                advice: "Let the sync service download the whole folder")
        }
        let census = keyring.key.flatMap { key in all ? open.census(key, password.form, context) : nil }
        let isWell = census.map { $0.plain.isEmpty && $0.unreadable.isEmpty } ?? true
        if !isWell || !context.isSilent(.success) {
            try context.print((open, census), Self.schema) { Self.show(open, census, to: &$0) }
        }
        return isWell ? .success : .findings
    }

    private static func show(
        _ open: OpenRemote, _ census: EncryptionCensus?, to text: inout OutputBuffer
    ) {
        if open.snapshot.isEncrypted {
            text.line("The password opens \(open.path).")
        } else {
            text.line("\(open.path) is not encrypted and needs no password.")
        }
        guard let census else { return }
        for exception in census.plain + census.unreadable {
            text.line("  \(exception.file.path): \(exception.problem)")
        }
        let counts = [
            (census.sound.count, "opened"), (census.plain.count, "not encrypted"),
            (census.unreadable.count, "not opened"),
        ]
        text.line(counts.map { "\(Quantities.count($0.0, "file")) \($0.1)" }.joined(separator: ", ") + ".")
    }

    static let schema = JSONSchema<(open: OpenRemote, census: EncryptionCensus?)>(
        "ticds.password/1", "Printed by ticds-remote(1) `check-password` if the password is right."
    ) {
        $0("remote", "", { $0.open.path })
        $0("application", "", { $0.open.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote needs a password at all.", { $0.open.snapshot.isEncrypted })
        $0(
            "files", "With `--all`.", { $0.census },
            JSONFields {
                $0("opened", "The number of files that the password opens.", \.sound.count)
                $0("plain", "The files that are not encrypted.", \.plain, exception)
                $0("notOpened", "Those that it does not open.", \.unreadable, exception)
            })
    }

    private static let exception = JSONFields<EncryptionCensus.Exception> {
        $0("path", "", \.file.path)
        $0("problem", "", \.problem)
    }
}
