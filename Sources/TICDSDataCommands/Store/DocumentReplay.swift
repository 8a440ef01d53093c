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
        /// What could not be read.
        let problems: [FileProblem]
        let status: ExitStatus
    }

    /// Writes the store and its register, and gives them their names.
    func write(to target: ReplayTarget, _ context: CommandContext) throws -> Result {
        let keyring = try open.keyring()
        open.prepareToRead(below: [document.path.appending(RemoteLayout.syncChanges)])
        var start = StartingStore(of: document, in: open.storage, keyring, model: model)
        var report = ReplayReport(
            remote: open.path, document: document.identifier.text, file: target.file,
            register: target.register)
        do {
            let store = try start.open(choice, at: target.work)
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
        try target.writeRegister(start.lines, report.record.appliedSets)
        report.clientNames = open.clientNames(keyring)
        open.warnOfNames(context)
        report.take(start)
        try target.publish()
        var problems =
            open.snapshot.problems(of: [document.path]) + start.unusable + report.externalData.unread
        problems += report.unreadRegisters.filter { !problems.contains($0) }
        let isPartial = report.record.isPartial || start.damagedObjects > 0 || !problems.isEmpty
        return Result(report: report, problems: problems, status: isPartial ? .partial : .success)
    }
}
