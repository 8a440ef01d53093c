import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Which changes a command looks at: of files, or of a remote.
struct ChangeSelection: ParsableArguments {
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var filterOptions: FilterOptions
    @OptionGroup var password: PasswordOptions

    /// Hands out the changes of `targets`, which are change set files or one remote. `named` gets what people call the
    /// clients of a remote, by identifier, before the first change.
    /// - Returns: `partial` where something could not be read, after a report of each problem.
    func forEachRecord(
        of targets: [FilePath], _ output: OutputOptions, named: ([String: String]) -> Void = { _ in },
        _ body: (ChangeRecord) throws(FileProblem) -> Void
    ) throws -> ExitStatus {
        let targets = try targets.map { path throws(FileProblem) in try path.followed }
        let filter = try filterOptions.filter
        var status = ExitStatus.success
        func onDamage(_ problem: FileProblem) throws(FileProblem) {
            if problem.kind == .writeFailed { throw problem }
            output.report(problem)
            status = .partial
        }
        if targets.count == 1, try FileStatus.of(targets[0]).kind != .file {
            let remote = try OpenRemote(targets[0], password)
            let keyring = try remote.keyring()
            output.inform("remote \(remote.path)\(keyring.isEncrypted ? ", encrypted" : "")")
            named(remote.clientNames(keyring))
            let histories = try remote.histories(documents, clients)
            // Of these one sentence tells at the end.
            let absent = Set(remote.snapshot.absentFiles.map { $0.path.filePath(under: remote.path) })
            for history in histories {
                try history.forEachRecord(
                    in: remote.storage, keyring, filter: filter,
                    onDamage: { problem throws(FileProblem) in
                        if !absent.contains(problem.path) { try onDamage(problem) }
                    }, body)
            }
            for problem in remote.problems(of: histories) { try onDamage(problem) }
            return status
        }
        var keyrings = FileKeyrings(password)
        for target in targets {
            do throws(FileProblem) {
                let location = try ChangeSetLocation(of: target)
                output.inform("reading \(target)")
                let bytes = try keyrings.read(target) { () throws(FileProblem) in try location.remote }
                let reader = try ChangeSetReader(bytes, path: target)
                try reader.forEachRecord(at: location.place, filter: filter, onDamage: onDamage, body)
            } catch {
                if targets.count == 1 || keyrings.isRefused { throw error }
                try onDamage(error)
            }
        }
        return status
    }
}

extension OpenRemote {
    /// What could not be listed, and the files of the documents whose content is not here.
    func problems(of histories: [ChangeHistory]) -> [FileProblem] {
        gaps
            + [snapshot.absence(below: histories.map { RemoteLayout.document($0.documentIdentifier) })]
            .compactMap(\.self)
    }

    /// The histories of the documents and clients that the options name, or of all.
    func histories(_ documents: DocumentOptions, _ clients: ClientOptions? = nil) throws(FileProblem)
        -> [ChangeHistory]
    {
        let chosen = try documents.some(of: self.documents(), in: path)
        var histories: [ChangeHistory] = []
        for document in snapshot.documents
        where chosen.contains(NamedItem(identifier: document.identifier.text, description: nil)) {
            let wanted = try clients.flatMap { options throws(FileProblem) -> [NamedItem]? in
                if options.clients.isEmpty { return nil }
                return try options.some(of: document.clients.map { named($0.identifier) }, in: path)
            }
            let identifiers = wanted.map { Set($0.map { RemoteName($0.identifier) }) }
            histories.append(ChangeHistory(of: document, clients: identifiers))
        }
        return histories
    }
}

/// Which changes of a set a command looks at.
struct FilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only changes of objects of this entity.", valueName: "name"))
    var entity: String?

    @Option(
        help: ArgumentHelp(
            "Only changes of the object with this sync ID, and changes that relate to it.", valueName: "id"))
    var object: String?

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "Only changes of this type: insert, attribute, toOne, addToMany, removeFromMany, delete or unknown. May be given several times.",
            valueName: "type"))
    var types: [ChangeTypeName] = []

    @Option(
        help: ArgumentHelp(
            "Only changes made at this time or later, by their author's clock.", valueName: "time"))
    var since: TimeArgument?

    @Option(
        help: ArgumentHelp("Only changes made before this time, by their author's clock.", valueName: "time"))
    var until: TimeArgument?

    var filter: ChangeFilter {
        get throws {
            ChangeFilter(
                entity: entity, object: object, types: types.isEmpty ? nil : Set(types.map(\.rawValue)),
                since: since?.secondsSince2001, until: until?.secondsSince2001)
        }
    }
}

/// The name of a type of change on the command line.
enum ChangeTypeName: String, ExpressibleByArgument, CaseIterable {
    case insert, attribute, toOne, addToMany, removeFromMany, delete, unknown
}
