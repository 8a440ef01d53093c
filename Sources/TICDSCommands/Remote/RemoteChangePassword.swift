import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct RemoteChangePassword: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-password",
        abstract: "Encrypts a remote again with another password.",
        discussion: """
            All clients must be closed. Each asks for the new password when it next registers. Creates a new \
            salt and test file, encrypts every protected file again, checks that each decrypts to the same \
            bytes, and then replaces the old files.

            Examples:
              ticds-remote change-password ~/Dropbox/com.example.app --dry-run
              ticds-remote change-password ~/Dropbox/com.example.app --password-file old.txt --new-password-file new.txt
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var newPassword: NewPasswordOptions
    @OptionGroup var options: EncryptionOptions

    var output: OutputOptions { options.output }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password, context)
        try open.refuseReadOnly()
        try open.refuseUnfinished()
        let key = try open.key()
        let census = open.census(key, password.form, context)
        let secret = try newPassword.secret(for: open.path)
        return try options.run(
            open, .changePassword(secret), census, command: "ticds-remote change-password",
            recoder: EncryptionRecoder(old: key, form: password.form, new: secret.key), context)
    }
}
