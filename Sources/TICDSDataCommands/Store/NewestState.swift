import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages
import TICDSSync

/// The newest state of a document of a remote, as a store in a private folder that exists as long as this value.
struct NewestState {
    let file: StoreFile
    let result: DocumentReplay.Result
    private let folder: TemporaryFolder

    /// Replays the document; reports the problems of reading, and warns of unknown facts.
    init(
        of argument: String, _ document: DocumentOptions, _ options: StoreOptions, _ context: CommandContext
    ) throws {
        let open = try OpenRemote(RemoteAddress(argument: argument), options.password, context)
        var replay = DocumentReplay(open: open, document: try open.document(document))
        replay.model = options.model.map { Environment.path(argument: $0) }
        folder = try TemporaryFolder(prefix: "ticds-newest")
        let target = try ReplayTarget(
            folder.path.appending("Newest.sqlite"), replaces: false, remote: open.path)
        // The private copy is gone when somebody reads the errors.
        folder.represent(open.path, as: "Newest.sqlite")
        result = try replay.write(to: target, context)
        for problem in result.problems { context.report(problem) }
        let record = result.report.record
        guard result.report.start?.whole != nil || record.changesApplied > 0 || record.changesRead == 0 else {
            throw FileProblem(
                .refused, path: open.path,
                "the model fits neither a whole store nor a change, so nothing was exported",
                advice: "Give the model of the app with --model; ticds-model find shows which one fits")
        }
        // The notes of the store itself are repeated when it is opened.
        for note in result.report.unknown where !ReplayReport.alwaysUnknown.contains(note.code) {
            context.warn(note.text)
        }
        for (kind, notices) in result.report.kinds where kind == .unreadableSet || kind == .unreadableChange {
            let places = notices.first.map(ReplayReport.line)
            context.warn(
                "\(kind.words) (\(Quantities.count(notices.count))): \(places.listed(of: notices.count))")
        }
        file = try StoreFile(target.file, options.password)
    }
}
