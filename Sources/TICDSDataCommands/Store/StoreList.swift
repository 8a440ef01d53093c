import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct StoreList: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the whole stores that clients uploaded, with their contents.",
        discussion: """
            MODEL is the number of entities and the beginning of a digest over their version hashes: it is \
            the same for all stores of one version of an app. SETS is the number of the document's change \
            sets that the register of the store names, and the number of all. Below the table stand the path of \
            each store, for other commands, and its objects by entity.

            Examples:
              ticds-store list ~/Dropbox/com.example.app
              ticds-store list ~/Dropbox/com.example.app --json | jq '.stores | max_by(.objects).client'
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var document: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not read the change sets to see whether they fit the models of the stores.")
    var withoutChangeSets = false

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let found = try RemoteStores(try remote.address, document, clients, password, context)
        let stores = found.documents.map { document in
            UploadedStores(
                document, in: found.remote.storage, keyring: found.keyring, clients: found.clients,
                readsChangeSets: !withoutChangeSets)
        }
        let chosen = try list.chosen(stores.flatMap(\.uploads), context.style) { ($0.size, $0.modified) }
        let uploads = chosen.entries
        try context.print((uploads, found), Self.schema) {
            if !uploads.isEmpty {
                show(uploads, chosen.note(besides: found.unlisted), found, to: &$0, context)
            }
            let isNarrowed = document.isNarrowed || list.isNarrowed
            let without = found.unlisted == nil ? found.clientsWithoutStore : []
            let nouns = without.map { "whole store of \(found.name(of: $0))" }
            for noun in uploads.isEmpty && nouns.isEmpty ? ["whole store"] : nouns {
                $0.line(EmptyList.sentence(noun, isNarrowed: isNarrowed, besides: found.unlisted))
            }
        }
        if !context.json { for problem in uploads.flatMap(\.problems) { context.report(problem) } }
        let folders = document.isNarrowed ? found.documents.map(\.path) : [[RemoteLayout.documents]]
        let absence = found.remote.snapshot.absence(below: folders)
        let others = found.remote.gaps + stores.flatMap(\.unreadSets) + [absence].compactMap(\.self)
        for problem in others { context.report(problem) }
        return .unread(uploads.flatMap(\.problems) + others)
    }

    private func show(
        _ uploads: [UploadedStores.Upload], _ note: String?, _ found: RemoteStores,
        to text: inout OutputBuffer, _ context: CommandContext
    ) {
        var table = TextTable(
            ["DOCUMENT", "CLIENT", "KIND", "SIZE", "MODIFIED", "OBJECTS", "MODEL", "SETS", "REMARK"],
            [.beginning, .text, .text, .number, .time, .number],
            leavesOut: ["MODEL", "KIND", "SIZE", "SETS", "OBJECTS", "MODIFIED"])
        for upload in uploads { table.add(row(upload, found, context.style)) }
        table.show(to: &text, colour: context.colour())
        if let note { text.line(note) }
        for upload in uploads {
            text.line()
            text.line(
                context.colour().paint("\(upload.document.text), \(found.name(of: upload.client)):", .bold)
            )
            text.line("    \(ShellWord.quoted(found.path(of: upload)))")
            guard case .success(let contents) = upload.contents, !contents.counts.isEmpty else { continue }
            var rows = TextTable(["ENTITY", "OBJECTS"], [.text, .number])
            for count in contents.counts { rows.add([count.entity, Quantities.count(count.count)]) }
            rows.show(to: &text, colour: context.colour(), indent: 4)
        }
    }

    private func row(_ upload: UploadedStores.Upload, _ found: RemoteStores, _ style: TextStyle) -> [String] {
        var cells = [
            upload.document.text, found.name(of: upload.client),
            upload.layers.map(\.rawValue).joined(separator: ", "), style.size(found.size(of: upload)),
            upload.modified.map { style.minuteWithAge($0) } ?? "", "", "", "", "",
        ]
        switch upload.contents {
        case .success(let contents):
            cells[5] = Quantities.count(contents.objects)
            let hashes = contents.metadata.versionHashes.count
            cells[6] = "\(Quantities.count(hashes, "entity", "entities")) \(contents.modelDigest ?? "")"
            let unknown = upload.unknownEntities ?? []
            var remarks = contents.notes.filter { ["walMissing", "externalDataMissing"].contains($0.code) }
                .map(\.text)
            if !unknown.isEmpty {
                remarks.insert(
                    "change sets name entities that it does not have: \(unknown.joined(separator: ", "))",
                    at: 0)
            }
            cells[8] = remarks.joined(separator: "; ")
        case .failure(let problem): cells[8] = problem.problem
        }
        switch upload.register {
        case .success(let register):
            let gap = found.unlistedSets(of: upload)
            let (contained, all) = (register.contained, register.contained + register.lacking)
            cells[7] = "\(Quantities.count(Seen(contained, gap))) of \(Quantities.count(Seen(all, gap)))"
        case .failure: cells[7] = "unreadable"
        case nil: cells[7] = found.remote.snapshot.gap(below: upload.path.parent) == nil ? "no register" : ""
        }
        return cells
    }
}

extension RemoteStores {
    /// The path of the store in the form for other commands.
    func path(of upload: UploadedStores.Upload) -> FilePath { upload.path.filePath(under: remote.path) }

    /// The size of an upload in bytes.
    func size(of upload: UploadedStores.Upload) -> Seen<Int64> {
        Seen(
            upload.size,
            remote.snapshot.tree[upload.path].part?.kind == .file
                ? nil : remote.snapshot.gap(below: upload.path.parent))
    }

    /// The reason why the document of an upload may have more change sets than were listed.
    func unlistedSets(of upload: UploadedStores.Upload) -> FileProblem? {
        remote.snapshot.gap(below: [RemoteLayout.documents, upload.document, RemoteLayout.syncChanges])
    }
}

extension UploadedStores.Upload {
    /// The problems of reading.
    var problems: [FileProblem] {
        var problems: [FileProblem] = []
        switch contents {
        case .failure(let problem): problems.append(problem)
        case .success(let contents): problems += contents.shortfalls + contents.gaps.problems
        }
        if case .failure(let problem) = register { problems.append(problem) }
        return problems
    }
}

extension StoreList {
    static let schema = JSONSchema<(uploads: [UploadedStores.Upload], found: RemoteStores)>(
        "ticds.wholeStores/1", "Printed by ticds-store(1) `list`."
    ) {
        $0("remote", "The application folder.", { $0.found.remote.path })
        $0("application", "Its identifier.", { $0.found.remote.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote is encrypted.", { $0.found.remote.snapshot.isEncrypted })
        $0(
            "stores", "The whole stores.",
            // try?: the problem has fields of its own
            { run in run.uploads.map { ($0, try? $0.contents.get(), run.found) } },
            store)
    }

    private typealias Store = (
        upload: UploadedStores.Upload, contents: WholeStoreContents?, found: RemoteStores
    )
    private static let store = JSONFields<Store> {
        $0("document", "", { $0.upload.document })
        $0("client", "", { $0.upload.client })
        $0("description", "The app's name for the device.", { $0.found.names[$0.upload.client.text] })
        $0("path", "The store.", { $0.upload.path })
        $0(
            "size", "Bytes; for a folder, of all its files. Null if not all could be listed.",
            { $0.found.size(of: $0.upload).known })
        $0("modified", "The time of the last write by the app.", { $0.upload.modified })
        $0(
            "kind", "Null if the layers around the store cannot be opened.",
            as: .orNull(.names(["sqlite", "binary", "xml"])), { $0.upload.kind?.rawValue })
        $0(
            "layers", "The layers from the outside in, such as `encrypted`, `zip`, `sqlite`.",
            {
                $0.upload.layers.map(\.rawValue)
            })
        $0("memberName", "The name of the store in its zip.", { $0.contents?.memberName })
        $0(
            "externalData", "Whether a folder of external data lies beside it.",
            { $0.contents?.hasExternalData })
        $0("storeUUID", "", { $0.contents?.metadata.uuid })
        $0(
            "frameworkVersion", "NSPersistenceFrameworkVersion.", as: .orNull(.integer),
            { $0.contents?.metadata.frameworkVersion })
        $0("objects", "", { $0.contents?.objects })
        $0("objectsByEntity", "Numbers by entity.", as: .map(.count)) { store, json in
            json.beginObject("objectsByEntity")
            for count in store.contents?.counts ?? [] { json.field(count.entity, count.count) }
            json.endObject()
        }
        $0(
            "model", "What is known of its model.",
            { store in
                let isWhole = store.found.unlistedSets(of: store.upload) == nil
                return store.contents.map { ($0, isWhole ? store.upload.unknownEntities : nil) }
            },
            JSONFields<(contents: WholeStoreContents, unknown: [String]?)> {
                $0("entities", "Entities with a version hash.", { $0.contents.metadata.versionHashes.count })
                $0("digest", "The beginning of a digest over the hashes.", { $0.contents.modelDigest })
                $0(
                    "unknownEntities",
                    "Entities that change sets name and the store does not have; null if this is unknown.",
                    { $0.unknown })
            })
        $0(
            "register", "The contents of the register beside the store.",
            { store in
                // try?: the problem has fields of its own
                let register = try? store.upload.register?.get()
                return register.map { Seen($0, store.found.unlistedSets(of: store.upload)) }
            },
            JSONFields {
                $0("named", "Change sets that the register names.", \.part.named)
                $0(
                    "contained",
                    "Change sets of the document that it names; null, as below, if not all could be listed.",
                    \.known?.contained)
                $0("lacking", "Those that it does not name.", \.known?.lacking)
                $0("oldestLacking", "The time of the oldest of those.", \.known?.oldestLacking)
            })
        $0("notes", "What a reader of the store must know.", { $0.contents?.notes.map(\.text) ?? [] })
        $0("unread", "What could not be read.", { $0.upload.problems })
    }
}
