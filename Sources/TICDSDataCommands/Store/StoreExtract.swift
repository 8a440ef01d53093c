import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct StoreExtract: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Copies a store out of a remote, decrypted and unzipped, as one file to open.",
        discussion: """
            The copy includes the contents of a write-ahead log beside the store, and external data go beside \
            it. The command opens and checks the copy before moving it to its place; the copy keeps the time of \
            the store.

            Examples:
              ticds-store extract ~/Dropbox/com.example.app Notebook.sqlite --document Notebook --client "Anna's Mac"
              ticds-store extract WholeStore/4A11-8E1D/WholeStore.ticdsync Notebook.sqlite
              ticds-store extract WholeStore/4A11-8E1D/WholeStore.ticdsync Notebook.sqlite --force
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Argument(help: "The file to write.", completion: .file())
    var target: String

    @Flag(help: "Replace an existing store of that name.")
    var force = false

    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try OutputTarget.path(target)
        let file = try place.file(store, password, context)
        // Missing external data is counted in the copy.
        for note in file.notes where !note.code.hasPrefix("externalData") { context.warn(note.text) }
        let extraction = StoreExtraction(
            source: file.path, externalData: try StoreExtraction.externalData(beside: file.path),
            modified: file.modified, mode: try file.mode, gaps: file.gaps)
        let result = try extraction.write(to: target, isReplacing: force)
        try context.print((result, target, file), Self.schema) { text in
            if context.quiet { return }
            let objects = result.objects.map { ", \(Quantities.count($0, "object"))" } ?? ""
            text.line(
                "\(target.escaped): \(result.kind.rawValue) store of "
                    + "\(context.style.size(result.size))\(objects)"
                    + (result.hadPendingWrites ? ", with what was in its log" : "")
                    + (result.externalFiles > 0
                        ? ", \(Quantities.count(result.externalFiles, "file")) of external data" : ""))
        }
        MissingExternalData.warn(result.missingExternalFiles.count, context)
        for problem in result.unread { context.report(problem) }
        return result.unread.isEmpty && result.missingExternalFiles.isEmpty ? .success : .partial
    }

    static let schema = JSONSchema<
        (result: StoreExtraction.Result, target: FilePath, file: StoreFile)
    >("ticds.extraction/1", "Printed by ticds-store(1) `extract`.") {
        $0("source", "", { $0.file.origin })
        $0("target", "", { $0.target })
        $0("layers", "The layers from the outside in.", { $0.file.layers.map(\.rawValue) })
        $0("kind", "", as: .names(["sqlite", "binary", "xml"]), { $0.result.kind.rawValue })
        $0("size", "Bytes of the copy.", { $0.result.size })
        $0("modified", "The time of the store and its copy.", { $0.file.modified })
        $0("objects", "Null for an XML store in an encoding that is not read.", { $0.result.objects })
        $0("externalFiles", "Files of external data.", { $0.result.externalFiles })
        $0(
            "missingExternalFiles", "Files of external data that the store refers to and that do not exist.",
            { $0.result.missingExternalFiles.count })
        $0(
            "hadPendingWrites", "Whether the copy includes a log or journal beside the source.",
            { $0.result.hadPendingWrites })
    }
}
