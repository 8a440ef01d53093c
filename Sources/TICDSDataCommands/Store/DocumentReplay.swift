import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// A whole store with all later change sets applied, written to a file: `replay`, and `export --newest`.
struct DocumentReplay {
    let open: OpenRemote
    let document: DocumentSnapshot
    var model: FilePath?
    var choice = StartingStore.Choice()

    init(open: OpenRemote, document: DocumentSnapshot) {
        self.open = open
        self.document = document
    }

    struct Result {
        let report: ReplayReport
        /// The problems of reading.
        let problems: [FileProblem]
        /// Whether everything that belongs to the result could be read.
        let isWhole: Bool
        let status: ExitStatus
    }

    /// The reason why the document may have more change sets than were listed.
    private var unlistedSets: FileProblem? {
        open.snapshot.gap(below: document.path.appending(RemoteLayout.syncChanges))
    }
    /// The reason why the document may have more whole stores than were listed.
    private var unlistedStores: FileProblem? {
        open.snapshot.gap(below: document.path.appending(RemoteLayout.wholeStore))
    }

    /// Writes the store and its register, and gives them their names.
    /// - Throws: also the reason why nothing of the document could be read.
    func write(to target: ReplayTarget, _ context: CommandContext) throws -> Result {
        let keyring = try open.keyring()
        open.prepareToRead(below: [document.path.appending(RemoteLayout.syncChanges)])
        var start = StartingStore(of: document, in: open.storage, keyring, model: model)
        var report = ReplayReport(
            remote: open.path, document: document.identifier.text, file: target.file,
            register: target.register)
        do {
            let store = try opened(&start, at: target.work)
            context.inform(
                "starting from \(start.whole.map { "the whole store of \($0.client)" } ?? "nothing")")
            var replay = Replay()
            replay.registered = start.registered ?? []
            replay.until = choice.until
            replay.without = choice.without
            let history = ChangeHistory(of: document, order: .sending)
            var progress = Progress("replaying", context)
            report.record = try replay.run(history, in: open.storage, keyring, into: store) {
                progress.update(ProgressState(Int64($0), of: Int64(history.count), .changeSets))
            }
            let external = try store.externalFiles()
            try store.finish()
            report.externalData = try ExternalDataCopy.copy(
                external, of: start.whole, in: document, open.storage, keyring, beside: target.work)
        }
        if start.whole == nil, report.record.changesRead == 0,
            let problem = unlistedSets ?? unlistedStores ?? start.unusable.first(where: \.isUnread)
        {
            throw problem
        }
        try target.writeRegister(start.lines, report.record.appliedSets)
        report.clientNames = open.clientNames(keyring).part
        open.warnOfNames(context)
        report.unlistedSets = unlistedSets
        report.unlistedStores = choice.setsAlone ? nil : unlistedStores
        let folder = document.path.filePath(under: open.path)
        report.take(start, of: folder, until: choice.until)
        let place = start.whole.map {
            $0.path.appending(RemoteLayout.wholeStoreFile).filePath(under: open.path)
        }
        try target.publish(
            readableAs: place.flatMap { path throws(FileProblem) in try FileStatus.ifPresent(path)?.mode })
        var problems =
            open.snapshot.problems(of: [document.path]) + start.unusable + report.externalData.unread
        problems += report.unreadRegisters.filter { !problems.contains($0) }
        problems += [report.setsGone, report.externalData.problem(at: folder)].compactMap(\.self)
        let isWhole =
            !report.record.isPartial && start.damagedObjects == 0 && start.unusable.isEmpty
            && report.externalData.unread.isEmpty && report.externalData.missing == 0
            && report.unlistedSets == nil && report.unlistedStores == nil && report.setsGone == nil
        return Result(
            report: report, problems: problems, isWhole: isWhole,
            status: isWhole && problems.isEmpty ? .success : .partial)
    }

    /// The starting store.
    /// - Throws: if there is none, the reason why it may be among the unlisted ones.
    private func opened(_ start: inout StartingStore, at work: FilePath) throws(FileProblem) -> WritableStore
    {
        do throws(FileProblem) {
            return try start.open(choice, at: work)
        } catch {
            guard [.refused, .unknownName].contains(error.kind), !choice.setsAlone,
                let gap = unlistedStores
            else { throw error }
            throw gap
        }
    }
}
