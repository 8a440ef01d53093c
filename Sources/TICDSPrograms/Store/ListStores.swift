import ArgumentParser
import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct ListStores: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the whole stores that clients uploaded, with their contents.",
        discussion: """
            MODEL is the number of entities and the beginning of a digest over their version hashes: it is \
            the same for all stores of one version of an app. SETS is the number of the document's change \
            sets that the register of the store names, and the number of all.

            Examples:
              ticds-store list ~/Dropbox/com.example.app
              ticds-store list ~/Dropbox/com.example.app --json | jq '.stores | max_by(.objects).client'
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var document: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not read the change sets to see whether they fit the models of the stores.")
    var withoutChangeSets = false

    func execute() throws -> ExitStatus {
        let found = try RemoteStores(try remote.path, document, clients, password)
        let stores = found.documents.map { document in
            UploadedStores(
                document, in: found.remote.storage, keyring: found.keyring, clients: found.clients,
                readsChangeSets: !withoutChangeSets)
        }
        let uploads = stores.flatMap(\.uploads)
        if output.json {
            try output.print((uploads, found), Self.schema)
        } else {
            try printText(uploads, found)
        }
        let absence = found.remote.snapshot.absence(below: found.documents.map(\.path))
        let others = found.remote.gaps + stores.flatMap(\.unreadSets) + [absence].compactMap(\.self)
        for problem in others { output.report(problem) }
        return .unread(uploads.flatMap(\.problems) + others)
    }

    private func printText(_ uploads: [UploadedStores.Upload], _ found: RemoteStores) throws(FileProblem) {
        var text = output.text()
        var table = TextTable(
            ["DOCUMENT", "CLIENT", "KIND", "SIZE", "MODIFIED", "OBJECTS", "MODEL", "SETS", "REMARK"],
            [.beginning, .text, .text, .number, .time, .number],
            leavesOut: ["MODEL", "KIND", "SIZE", "SETS", "OBJECTS", "MODIFIED"])
        for upload in uploads { table.add(row(upload, found)) }
        if table.isEmpty {
            text.line("No client has uploaded a whole store.")
            return try text.flush()
        }
        table.show(to: &text, colour: output.colour())
        for upload in uploads {
            guard case .success(let contents) = upload.contents, !contents.counts.isEmpty else { continue }
            text.line()
            text.line(
                output.colour().paint(
                    "\(upload.document.text), \(found.name(of: upload.client)):", .bold)
            )
            var rows = TextTable(["ENTITY", "OBJECTS"], [.text, .number])
            for count in contents.counts { rows.add([count.entity, Quantities.count(count.count)]) }
            rows.show(to: &text, colour: output.colour(), indent: 4)
        }
        try text.flush()
        for problem in uploads.flatMap(\.problems) { output.report(problem) }
    }

    private func row(_ upload: UploadedStores.Upload, _ found: RemoteStores) -> [String] {
        var cells = [
            upload.document.text, found.name(of: upload.client),
            upload.layers.map(\.rawValue).joined(separator: ", "), Quantities.size(upload.size),
            upload.modified?.withAge ?? "", "", "", "", "",
        ]
        switch upload.contents {
        case .success(let contents):
            cells[5] = Quantities.count(contents.objects)
            let hashes = contents.metadata.versionHashes.count
            cells[6] =
                "\(Quantities.count(hashes, "entity", "entities")) \(contents.modelDigest ?? "")"
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
            cells[7] =
                "\(Quantities.count(register.contained)) of \(Quantities.count(register.contained + register.lacking))"
        case .failure: cells[7] = "unreadable"
        case nil: cells[7] = "no register"
        }
        return cells
    }
}

extension UploadedStores.Upload {
    /// What could not be read.
    var problems: [FileProblem] {
        var problems: [FileProblem] = []
        switch contents {
        case .failure(let problem): problems.append(problem)
        case .success(let contents): problems += contents.gaps.problems
        }
        if case .failure(let problem) = register { problems.append(problem) }
        return problems
    }
}
