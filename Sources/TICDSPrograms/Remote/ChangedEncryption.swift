import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// What the three commands have in common that change the encryption of a remote.
struct EncryptionOptions: ParsableArguments {
    @Flag(
        help: "Leave files unchanged that prevent the change, instead of refusing.")
    var skipUnreadable = false

    @OptionGroup var change: ChangeOptions
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
        let change = try EncryptionPlanner(
            of: open.snapshot, goal, census: census, names: ClientNames(open.clientNames()))
        open.warnOfNames(output)
        let plan = try change.plan(
            root: try open.path.resolved() ?? open.path, command: command, skippingUnreadable: skipUnreadable)
        // No limit for change sets that are taken away: each is replaced by one that holds the same.
        return try ChangeRunner(self.change, output).run(plan, on: nil, snapshot: nil, recoder: recoder)
    }
}

extension OpenRemote {
    /// Opens every protected file under the key.
    func census(
        _ key: SyncKey, _ form: EncryptedFile.HMACForm, _ output: OutputOptions
    ) -> EncryptionCensus {
        var progress = Progress("opening files", output)
        return EncryptionCensus(snapshot, storage, key: key, form: form) { done, total in
            progress.update(ProgressState(Int64(done), of: Int64(total), .files))
        }
    }

    /// The key of the remote, asked for where it is not configured.
    /// - Throws: `.refused` where the remote is not encrypted.
    func key() throws(FileProblem) -> SyncKey {
        guard let key = try keyring().key else {
            throw FileProblem(.refused, path: path, "the remote is not encrypted")
        }
        return key
    }
}
