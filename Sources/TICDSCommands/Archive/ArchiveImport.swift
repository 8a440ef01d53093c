public import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSArchive
import TICDSCore
package import TICDSOperations
import TICDSStorages

struct ArchiveImport: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restores an archive, as a new remote or into an existing one.",
        discussion: """
            Unpacks the archive in another place and checks every file before it makes a plan. Restores times. Also \
            accepts archives that tar, bsdtar or zip made of a remote.

            Examples:
              ticds-archive import app.tar.zst ~/Dropbox
              ticds-archive import app.tar.zst ~/Dropbox/com.example.app --on-existing skip --dry-run
              ticds-archive import app.tar.zst ~/Dropbox/com.example.app --path Documents/cookbook/IntegrityKey
              ssh host cat app.tar.zst | ticds-archive import - ~/Dropbox --yes
            """)

    @Argument(help: .value("file", "The archive; - is standard input."), completion: .archives)
    var archive: String

    @Argument(
        help: .value("remote", "The remote: an application folder, or the folder in which to create one."),
        completion: .directory)
    var remote: String

    @Option(
        help: .value(
            "what", "What to do with existing files that differ: fail (the default), skip or replace."))
    var onExisting = ImportPlanner.OnExisting.fail

    @Option(
        help: .value(
            "path",
            "Import only this file or folder, by its path below the remote, as list and diff show it. May be given several times."
        ))
    var path: [String] = []

    @OptionGroup var names: RenameOptions

    @Flag(help: "Encrypt the imported files with a new password.")
    var encrypt = false

    @OptionGroup var newPassword: NewPasswordOptions

    @Option(help: .value("bytes", "Refuse archives that contain more bytes than this. Default: 1 TiB."))
    var maxSize: Int64?

    @Option(
        help: .value(
            "number", "Refuse archives that unpack to more than this many times their size. Default: 200."))
    var maxRatio: Int64?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if change.savedPlan != nil {
            throw ValidationError(
                "--save-plan is not possible here: the unpacked files exist only while the command runs.")
        }
        if !encrypt, newPassword.isGiven { throw ValidationError("A new password needs --encrypt.") }
        if (maxSize ?? 1) < 1 || (maxRatio ?? 1) < 1 {
            throw ValidationError("--max-size and --max-ratio take numbers from 1.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let origin = try ArchiveArgument.origin(archive)
        let place = ImportPlace(
            try RemoteAddress(argument: remote).folder, names.application.map { RemoteName($0) })
        var limits = UnpackLimits()
        if let maxSize { limits.total = maxSize }
        if let maxRatio { limits.ratio = maxRatio }
        let bar = ArchiveProgress("unpacking", context)
        let incoming = try IncomingArchive(
            origin, for: try place.stagingState(), limits: limits,
            check: { (application) throws(FileProblem) in _ = try place.target(application) },
            progress: { bar.show($0, $1) })
        bar.end()
        let target = try place.target(incoming.application)
        let application = RemoteName(target.lastComponent?.bytes ?? [])
        let secret = encrypt ? try newPassword.secret(for: target) : nil
        try incoming.change(
            names.renames,
            keyring: { () throws(FileProblem) in
                try OpenRemote.keyring(incoming.staged.storage, password)
            }, secret, application: application)
        let planner = try ImportPlanner(
            incoming.staged, to: target, onExisting: onExisting,
            parts: try path.map(ArchiveArgument.remotePath))
        if encrypt, let snapshot = planner.snapshot, try !snapshot.tree.listing(.root).whole.isEmpty {
            throw FileProblem(
                .refused, path: target, "there already is a remote, which has its own encryption",
                advice: "Leave out --encrypt, or import the archive to another place")
        }
        let source = archive == "-" ? "standard input" : origin.path.escaped
        var plan = try planner.plan(
            command: "ticds-archive import",
            summary: planner.snapshot == nil
                ? "Create \(application) from \(source)" : "Import \(source) into \(application)")
        note(incoming, &plan)
        let lacking = context.warnOfEntries(leftOutOf: incoming.manifest, of: origin.path)
        if let absence = try RemoteSnapshot.take(incoming.staged.storage).absence() {
            // The path of the unpacked files would mean nothing to the user.
            plan.note(
                .warning,
                "The archive was made from a remote that was not completely downloaded: \(absence.found ?? absence.problem)"
            )
        }
        // The end of `incoming` removes the unpacked files.
        return try withExtendedLifetime(incoming) {
            let status = try PlanRunner(change, context).run(
                plan, on: planner.snapshot, snapshot: planner.snapshot)
            let isShort = lacking != nil || incoming.changedTimes.areWrong
            return status == .success && isShort ? .partial : status
        }
    }

    private func note(_ incoming: IncomingArchive, _ plan: inout Plan) {
        if let manifest = incoming.manifest {
            plan.note(
                .reason,
                "Every file has the SHA-256 that the manifest gives (\(escapedText(manifest.program)))"
            )
            if !manifest.scope.isEverything {
                plan.note(.warning, "The archive contains only a part of a remote")
            }
        } else {
            plan.note(
                .warning,
                "The archive has no manifest: another program made it, and nothing shows whether a file is missing"
            )
        }
        if incoming.changedTimes.count > 0 {
            plan.note(
                .warning,
                "The volume cannot keep the times of \(Quantities.count(incoming.changedTimes.count, "file")), which "
                    + "decide the order of changes: \(incoming.changedTimes.first)")
        }
        if !incoming.others.isEmpty {
            let names = incoming.others.map(\.description).listed()
            plan.note(.warning, "Not imported, because it is beside the remote: \(names)")
        }
        names.note(&plan, ", such as the integrity keys that devices remember")
        if encrypt {
            plan.note(
                .warning, "A lost password cannot be replaced: everything in the folder is lost with it")
        }
    }
}

extension ImportPlanner.OnExisting: ExpressibleByArgument {}
