import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct EncryptRemote: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, try PasswordOptions.parse([]))
        try open.refuseContradiction()
        guard !open.snapshot.isEncrypted else {
            throw FileProblem(
                .refused, path: open.path, "the remote is already encrypted",
                advice: "Use change-password for another password")
        }
        var progress = Progress("looking at files", output)
        let census = EncryptionCensus(ofPlain: open.snapshot, open.storage) { done, total in
            progress.update(ProgressState(Int64(done), of: Int64(total), .files))
        }
        let secret = try password.secret(for: open.path)
        return try options.run(
            open, .encrypt(secret), census, command: "ticds-remote encrypt",
            recoder: EncryptionRecoder(old: nil, new: secret.key))
    }
}

struct DecryptRemote: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password)
        let key = try open.key()
        return try options.run(
            open, .decrypt, open.census(key, password.form, output), command: "ticds-remote decrypt",
            recoder: EncryptionRecoder(old: key, form: password.form, new: nil))
    }
}

struct ChangePassword: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password)
        let key = try open.key()
        let census = open.census(key, password.form, output)
        let secret = try newPassword.secret(for: open.path)
        return try options.run(
            open, .changePassword(secret), census, command: "ticds-remote change-password",
            recoder: EncryptionRecoder(old: key, form: password.form, new: secret.key))
    }
}

/// The options and the end of the three commands that change the encryption of a remote.
struct EncryptionOptions: ParsableArguments {
    @Flag(help: "Leave files unchanged that prevent the change, instead of refusing.")
    var skipUnreadable = false

    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !change.allowed.isEmpty {
            throw ValidationError(
                "--allow-missing is not possible here; --skip-unreadable leaves such files as they are.")
        }
        if change.savedPlan != nil {
            throw ValidationError(
                "--save-plan is not possible here: a saved plan does not contain the keys that it needs.")
        }
    }

    func run(
        _ open: OpenRemote, _ goal: EncryptionPlanner.Goal, _ census: EncryptionCensus, command: String,
        recoder: EncryptionRecoder
    ) throws -> ExitStatus {
        let names = ClientNames(open.clientNames())
        let change = try EncryptionPlanner(of: open.snapshot, goal, census: census, names: names)
        if skipUnreadable { open.warnOfNames(output) } else { try open.checkRead() }
        let plan = try change.plan(
            root: try open.root, command: command, skippingUnreadable: skipUnreadable)
        // No limit for removed change sets: each is replaced by one with the same contents.
        return try PlanRunner(self.change, output, names: names).run(
            plan, on: nil, snapshot: nil, recoder: recoder)
    }
}

extension OpenRemote {
    /// Opens every protected file under the key.
    func census(_ key: SyncKey, _ form: EncryptedFile.HMACForm, _ output: OutputOptions) -> EncryptionCensus {
        var progress = Progress("opening files", output)
        return EncryptionCensus(snapshot, storage, key: key, form: form) { done, total in
            progress.update(ProgressState(Int64(done), of: Int64(total), .files))
        }
    }

    /// The key of the remote; asks for the password if none is configured.
    /// - Throws: `.refused` if the remote is not encrypted.
    func key() throws(FileProblem) -> SyncKey {
        guard let key = try keyring().key else {
            throw FileProblem(
                .refused, path: path, "the remote is not encrypted",
                advice: "To encrypt it, use ticds-remote encrypt")
        }
        return key
    }
}
