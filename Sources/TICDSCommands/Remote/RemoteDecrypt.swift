import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct RemoteDecrypt: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Removes the encryption of a remote.",
        discussion: """
            All clients must be closed. Afterwards they no longer ask for a password.

            Examples:
              ticds-remote decrypt ~/Dropbox/com.example.app --dry-run
              ticds-remote decrypt ~/Dropbox/com.example.app --password-command 'pass show app' --yes
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: EncryptionOptions

    var output: OutputOptions { options.output }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password, context)
        try open.refuseReadOnly()
        try open.refuseUnfinished()
        let key = try open.key()
        return try options.run(
            open, .decrypt, open.census(key, password.form, context), command: "ticds-remote decrypt",
            recoder: EncryptionRecoder(old: key, form: password.form, new: nil), context)
    }
}
