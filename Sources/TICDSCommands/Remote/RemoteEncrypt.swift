import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct RemoteEncrypt: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypts a plain remote.",
        discussion: """
            All clients must be closed. Each asks for the password when it next registers. The password \
            comes from the options, the environment, or the terminal, where the command asks for it twice.

            Examples:
              ticds-remote encrypt ~/Dropbox/com.example.app --dry-run
              ticds-remote encrypt ~/Dropbox/com.example.app --password-file secret.txt --yes
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var password: FirstPasswordOptions
    @OptionGroup var options: EncryptionOptions

    var output: OutputOptions { options.output }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, try PasswordOptions.parse([]), context)
        try open.refuseReadOnly()
        try open.refuseUnfinished()
        try open.refuseContradiction()
        guard !open.snapshot.isEncrypted else {
            throw FileProblem(
                .refused, path: open.path, "the remote is already encrypted",
                advice: "Use change-password for another password")
        }
        var progress = Progress("looking at files", context)
        let census = EncryptionCensus(ofPlain: open.snapshot, open.storage) { done, total in
            progress.update(ProgressState(Int64(done), of: Int64(total), .files))
        }
        let secret = try password.secret(for: open.path)
        return try options.run(
            open, .encrypt(secret), census, command: "ticds-remote encrypt",
            recoder: EncryptionRecoder(old: nil, new: secret.key), context)
    }
}
