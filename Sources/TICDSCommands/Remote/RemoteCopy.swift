import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages

struct RemoteCopy: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies a remote to another place, or brings an earlier copy up to date.",
        discussion: """
            Copies every file with its time to another place, reads it again and compares it; a new copy \
            gets its name when it is complete. An interrupted copy continues where it stopped. A file that \
            changes meanwhile is an error. The source, the copy or both can be in a storage \
            (ticds-remotes(7)).

            Examples:
              ticds-remote copy ~/Dropbox/com.example.app /mnt/disk
              ticds-remote copy ~/Dropbox/com.example.app /mnt/disk --update --yes
              ticds-remote copy ~/Dropbox/com.example.app ~/Nextcloud --encrypt
              ticds-remote copy rclone:dropbox:Apps/com.example.app ~/com.example.app
              ticds-remote copy ~/com.example.app rclone:nas:sync
            """)

    @Argument(
        help: .value(
            "source> <target",
            "The application folder of the remote, and that of the copy, or the folder in which to create "
                + "one. Without the first: TICDS_REMOTE."),
        completion: LiveCompletion.remotes.kind)
    var places: [String]

    @Flag(help: "Bring an earlier copy up to date; what is no longer in the source goes to the trash.")
    var update = false

    @Flag(help: "Also read files of the same size and time, and compare their bytes.")
    var checksum = false

    @OptionGroup var names: RenameOptions

    @OptionGroup var transfer: TransferOptions

    @Flag(help: "Decrypt the copy of an encrypted remote.")
    var decrypt = false

    @Flag(help: "Encrypt the copy of a plain remote, or of one that --decrypt decrypts, with a new password.")
    var encrypt = false

    @OptionGroup var newPassword: NewPasswordOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try RemoteOptions.separate(places, named: "TARGET")
        if change.savedPlan != nil {
            throw ValidationError(
                "--save-plan is not possible here: the prepared copy exists only while the command runs.")
        }
        if !encrypt, newPassword.isGiven { throw ValidationError("A new password needs --encrypt.") }
        if checksum, !update { throw ValidationError("--checksum needs --update.") }
        if encrypt, update {
            throw ValidationError(
                "--encrypt cannot be used with --update: encryption gives every file other bytes each time.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        transfer.apply()
        let (named, argument) = try RemoteOptions.separate(places, named: "TARGET")
        let storage = try named.storageWithoutLinks()
        let source = storage.root
        let target = try CopyTarget(
            RemoteAddress(argument: argument), RemoteName(ofRemoteAt: source),
            renamed: names.application.map { RemoteName($0) }, isUpdating: update)
        if target.root.starts(with: source) || source.starts(with: target.root) {
            throw FileProblem(
                .refused, path: target.root,
                "the copy would lie inside its source, or the source inside its copy",
                found: "\(source)", advice: "Name another place")
        }
        if !change.isDryRun { try target.clearLeftovers(context) }
        let isChanged = !names.renames.isEmpty || decrypt || encrypt
        return isChanged ? try copyChanged(storage, target, context) : try copyAsIs(storage, target, context)
    }

    private func planner(
        _ tree: RemoteTree, _ storage: any RemoteStorage, _ target: CopyTarget
    ) throws(FileProblem) -> CopyPlanner {
        try CopyPlanner(
            tree, from: storage, to: target.root, target.place, isUpdating: update, comparesBytes: checksum)
    }

    /// Copies the entries of a tree, or everything, into a folder that later moves to its place.
    private func copy(
        _ source: any RemoteStorage, _ tree: RemoteTree, only entries: [RemotePath]?, for state: RemoteState,
        _ context: CommandContext
    ) throws(FileProblem) -> CopyFolder {
        let place = try CopyFolder(state, source: source.root)
        let bar = ArchiveProgress("copying", context)
        var copier = RemoteCopier(tree, from: source, to: place, only: entries) { bar.show($0, $1) }
        try TerminationSignals.saying(
            "ticds-remote: interrupted; the same command continues the copy. To remove what it has copied: "
                + "ticds-journal prune --copies"
        ) { () throws(FileProblem) in try copier.copy() }
        return place
    }

    /// Copies only the entries that the plan needs.
    private func copyAsIs(_ source: any RemoteStorage, _ target: CopyTarget, _ context: CommandContext) throws
        -> ExitStatus
    {
        let tree = try CopyPlanner.tree(of: source, allowing: change.allowedMissing)
        let planner = try planner(tree, source, target)
        let draft = try plan(planner, source.root, target.root, staged: source.root)
        if change.isDryRun || draft.actions.isEmpty {
            return try PlanRunner(change, context).run(
                draft, copying: tree, in: nil, to: target, planner.existing)
        }
        if let existing = planner.existing { try change.limit.check(draft, existing) }
        let place = try copy(source, tree, only: CopyPlanner.entries(of: draft), for: target.state(), context)
        let plan = try plan(planner, source.root, target.root, staged: place.tree)
        defer { try? place.discard() }  // try?: ticds-journal prune removes it later
        return try PlanRunner(change, context).run(
            plan, copying: tree, in: place.tree, to: target, planner.existing)
    }

    /// Copies everything into the staging folder, changes the copy there, and compares it with the earlier copy.
    private func copyChanged(_ source: any RemoteStorage, _ target: CopyTarget, _ context: CommandContext)
        throws -> ExitStatus
    {
        let tree = try CopyPlanner.tree(of: source, allowing: change.allowedMissing)
        if !update {
            _ = try CopyPlanner(tree, from: source, to: target.root, target.place, isUpdating: false)
        }
        let key = decrypt ? try OpenRemote(source, password, context).key() : nil
        let secret = encrypt ? try newPassword.secret(for: target.root) : nil
        let state = try target.state()
        let place = try copy(source, tree, only: nil, for: state, context)
        let aside = try IncomingFolder(state)
        let staged = StagedRemote(root: try place.move(to: aside), model: aside.model)
        try place.discard()
        if let key { try staged.decrypt(key, form: password.form) { _, _ in } }
        if !names.renames.isEmpty {
            try staged.rename(names.renames, keyring: try OpenRemote.keyring(staged.storage, password))
        }
        if let secret {
            try staged.encrypt(secret, application: target.application) { _, _ in }
        }
        try OwnedDescriptor.folder(staged.root).syncVolume()
        let changed = try CopyPlanner.tree(of: staged.storage, allowing: change.allowedMissing)
        let planner = try planner(changed, staged.storage, target)
        let plan = try plan(planner, source.root, target.root, staged: staged.root)
        // The end of `aside` removes the copied files.
        return try withExtendedLifetime(aside) {
            try PlanRunner(change, context).run(
                plan, copying: changed, in: staged.root, to: target, planner.existing)
        }
    }

    private func plan(
        _ planner: CopyPlanner, _ source: FilePath, _ target: FilePath, staged: FilePath
    ) throws(FileProblem) -> Plan {
        let verb = planner.existing == nil ? "Make" : "Bring up to date"
        var plan = try planner.plan(
            command: "ticds-remote copy",
            summary: "\(verb) \(target.escaped), a copy of \(source.escaped)", staged: staged)
        names.note(&plan)
        if encrypt {
            plan.note(.warning, "A lost password cannot be replaced: everything in the copy is lost with it")
        }
        return plan
    }
}
