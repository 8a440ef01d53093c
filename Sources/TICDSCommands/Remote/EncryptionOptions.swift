import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

/// The common options and the last steps of the three commands that change the encryption of a remote.
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
        recoder: EncryptionRecoder, _ context: CommandContext
    ) throws -> ExitStatus {
        let names = open.clientNames()
        let remote = try open.listed(names: skipUnreadable ? names.part : names.whole)
        let change = try EncryptionPlanner(of: remote, goal, census: census)
        if skipUnreadable { open.warnOfNames(context) }
        let plan = try change.plan(command: command, skippingUnreadable: skipUnreadable)
        // No limit for removed change sets: each is replaced by one with the same contents.
        return try PlanRunner(self.change, context, names: remote.names).run(
            plan, on: nil, snapshot: nil, recoder: recoder)
    }
}

extension OpenRemote {
    /// Opens every protected file under the key.
    func census(_ key: SyncKey, _ form: EncryptedFile.HMACForm, _ context: CommandContext) -> EncryptionCensus
    {
        var progress = Progress("opening files", context)
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
