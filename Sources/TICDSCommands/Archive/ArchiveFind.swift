import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

struct ArchiveFind: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Searches the contents of archives by name, document, client and kind.",
        discussion: """
            Reads only the manifests, except where a document or client is named by its description: that is inside \
            the archive. Ends with 1 if nothing is found.

            Examples:
              ticds-archive find --document Notebook --type wholeStore /srv/backup/*.tar.zst
              ticds-archive find --name 0384211423 app.tar.zst
              ticds-archive find --client "Anna's iPad" --sort modified /srv/backup
            """)

    @Argument(
        help: .value("file", "The archives, or folders of archives; - is standard input."),
        completion: .archives)
    var archives: [String]

    @Option(help: .value("text", "Only paths that contain this text; case and accents do not matter."))
    var name: String?

    @Option(
        help: .value(
            "name",
            "Only this document: its identifier or description, or a unique part of them. May be given "
                + "several times."))
    var document: [String] = []

    @Option(
        help: .value(
            "name",
            "Only this client: its identifier or description, or a unique part of them. May be given "
                + "several times."))
    var client: [String] = []

    @OptionGroup var entries: EntryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if archives.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("Standard input can be read only once.")
        }
        if let name, NameResolver.folded(name).isEmpty {
            throw ValidationError("--name: every path contains '\(name)', since accents do not matter.")
        }
    }

    /// An entry that was found.
    struct Found {
        var archive: FilePath
        var entry: ArchiveContents.Entry
    }

    static let schema = JSONSchema<Found>(
        "ticds.archiveFound/1", "Printed by ticds-archive(1) `find`, one line for each entry that fits."
    ) {
        $0("archive", "The archive.", \.archive)
        $0.include(ArchiveContents.Entry.fields, \.entry)
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var found = FoundEntries()
        var unread: FileProblem?
        try refuseText()
        let origins = try archives.flatMap(ArchiveArgument.origins)
        for origin in origins {
            do throws(FileProblem) {
                let (entries, positions, gap) = try search(origin, context)
                found.add(positions, of: entries, in: origin.path)
                unread = unread ?? gap
            } catch {
                guard origins.count > 1, error.kind != .ambiguous else { throw error }
                context.report(error)
                unread = error
            }
        }
        let all = found
        let chosen = try entries.chosen(
            found.places, kind: { all.role(of: $0).rawValue }, path: { all[$0].entry.path },
            { (all.role(of: $0) == .folder ? -1 : all.size(of: $0), all.modified(of: $0)) }, of: nil, nil,
            context.style)
        found.places = chosen.entries
        if context.json {
            var json = context.lines()
            for place in found.places { json.document(found[place], Self.schema) }
            try json.flush()
        } else {
            let isNarrowed = name != nil || !document.isEmpty || !client.isEmpty || entries.isNarrowed
            let note =
                found.places.isEmpty
                ? EmptyList.sentence("entry", isNarrowed: isNarrowed, besides: unread)
                : chosen.note(besides: unread)
            try show(found, note, hasSeveral: origins.count > 1, context)
        }
        return unread != nil ? .partial : found.places.isEmpty ? .findings : .success
    }

    /// Refuses an argument that looks like the value of `--name` in place of an archive.
    private func refuseText() throws(FileProblem) {
        guard name == nil, document.isEmpty, client.isEmpty else { return }
        for argument in archives where argument != "-" && !argument.contains("/") {
            let path = Environment.path(argument: argument)
            guard !ArchiveOrigin.hasEnding(path), try path.resolved() == nil else { continue }
            let others = archives.filter { $0 != argument }.map {
                ShellWord.quoted(Environment.path(argument: $0))
            }
            let files = others.isEmpty ? "FILE" : others.joined(separator: " ")
            throw FileProblem(
                .missing, path: path, "no such archive",
                advice: "The text to find is the value of --name: ticds-archive find --name "
                    + "\(ShellWord.quoted(path)) \(files)")
        }
    }

    /// - Returns: the entries of an archive and the positions of those that match, with the reason why others may have
    ///   been left out of the archive.
    private func search(
        _ origin: ArchiveOrigin, _ context: CommandContext
    ) throws(FileProblem) -> (BackupEntries, positions: [Int], gap: FileProblem?) {
        let reader = ArchiveNames(origin)
        let (contents, documents, clients) = try reader.contents(documents: document, clients: client)
        let text = name.map(NameResolver.folded)
        let gap = context.warnOfEntries(leftOutOf: contents.manifest, of: origin.path)
        let fitting = contents.entries.indices.filter { position in
            let path = contents.entries.path(at: position)
            if let documents, path.document.map(documents.contains) != true { return false }
            if let clients, path.client.map(clients.contains) != true { return false }
            return text.map { NameResolver.folded(path.description).contains($0) } ?? !path.names.isEmpty
        }
        return (contents.entries, fitting, gap)
    }

    private func show(
        _ found: FoundEntries, _ note: String?, hasSeveral: Bool, _ context: CommandContext
    ) throws {
        var text = context.text()
        let table = TextTable(
            (hasSeveral ? ["ARCHIVE"] : []) + ["MODIFIED", "SIZE", "KIND", "PATH"],
            (hasSeveral ? [.path] : []) + [.time, .number, .text, .copied],
            leavesOut: ["KIND", "MODIFIED", "SIZE"])
        if !found.places.isEmpty {
            table.show(to: &text, colour: context.colour()) { add in
                for place in found.places {
                    let item = found[place]
                    let entry = item.entry
                    add(
                        (hasSeveral ? [item.archive.lastComponent?.string ?? item.archive.string] : []) + [
                            context.style.second(entry.modified),
                            entry.role == .folder ? "" : context.style.size(entry.size),
                            entry.role.rawValue, ShellWord.quoted(entry.path.bytes),
                        ])
                }
            }
        }
        if let note { text.line(note) }
        try text.flush()
    }
}

/// Entries that were found in archives, which are made on request.
private struct FoundEntries {
    /// The place of an entry: the number of the archive, and the position in it.
    struct Place {
        var archive: Int
        var position: Int
    }

    /// The entries that are left, in their order.
    var places: [Place] = []
    private var archives: [(path: FilePath, entries: BackupEntries)] = []

    mutating func add(_ positions: [Int], of entries: BackupEntries, in archive: FilePath) {
        // Few of many entries are kept without the others.
        let areFew = positions.count < entries.count / 2
        let kept = areFew ? BackupEntries(positions.lazy.map { entries[$0] }) : entries
        let number = archives.count
        archives.append((archive, kept))
        places += (areFew ? Array(kept.indices) : positions).lazy.map { Place(archive: number, position: $0) }
    }

    subscript(place: Place) -> ArchiveFind.Found {
        let archive = archives[place.archive]
        return ArchiveFind.Found(archive: archive.path, entry: archive.entries[place.position])
    }

    func role(of place: Place) -> FileRole { archives[place.archive].entries.role(at: place.position) }
    func size(of place: Place) -> Int64 { archives[place.archive].entries.size(at: place.position) }
    func modified(of place: Place) -> FileTime {
        archives[place.archive].entries.modified(at: place.position)
    }
}

extension ArchiveContents.Entry {
    /// The keys that `find` and `diff` share.
    static let fields = JSONFields<ArchiveContents.Entry>(home: "ticds.archiveFound/1") {
        $0("path", "Below the remote.", \.path)
        $0("kind", "", as: .names(FileRole.allCases.map(\.rawValue)), { $0.role.rawValue })
        $0("document", "The document to whose folder it belongs.", \.path.document)
        $0("client", "The client to whom the place belongs.", \.path.client)
        $0("size", "Bytes; null for folders.", { $0.role == .folder ? nil : $0.size })
        $0("modified", "", \.modified)
        $0(
            "sha256", "Null if the archive has no manifest, and for folders.", as: .orNull(.hexadecimal(64)),
            { $0.digest.map { hexadecimalDigits(of: $0) } })
    }
}

/// The contents of an archive, and the documents and clients that options name in it.
struct ArchiveNames {
    private let origin: ArchiveOrigin

    init(_ origin: ArchiveOrigin) { self.origin = origin }

    /// - Returns: the contents, and the identifiers of the named items; nil for all. None matches if the archive does
    ///   not contain them.
    /// - Throws: also `.ambiguous`.
    func contents(
        documents: [String], clients: [String]
    ) throws(FileProblem) -> (ArchiveContents, documents: Set<RemoteName>?, clients: Set<RemoteName>?) {
        func named(_ contents: ArchiveContents) throws(FileProblem) -> (Set<RemoteName>?, Set<RemoteName>?) {
            try (
                names(documents, Self.items(contents, \.path.document, contents.documents), "document"),
                names(clients, Self.items(contents, \.path.client, contents.clients), "client")
            )
        }
        var contents = try ArchiveContents(
            of: origin, digests: false, descriptions: isUnseekable(documents + clients))
        var found = try named(contents)
        let isLacking =
            found.0.map { $0.count < documents.count } == true
            || found.1.map { $0.count < clients.count } == true
        if isLacking, case .file = origin, contents.documents.isEmpty, contents.clients.isEmpty {
            // The names may be descriptions, which are inside the archive.
            contents = try ArchiveContents(of: origin, digests: false, descriptions: true)
            found = try named(contents)
        }
        // A named item may be in an earlier archive that cannot be read.
        if let problem = contents.problems.first,
            found.0.map({ $0.count < documents.count }) == true
                || found.1.map({ $0.count < clients.count }) == true
        {
            throw problem
        }
        return (contents, found.0, found.1)
    }

    /// Whether names cannot be searched for, since standard input is read only once.
    private func isUnseekable(_ names: [String]) -> Bool {
        if case .standardInput = origin { !names.isEmpty } else { false }
    }

    private func names(
        _ wanted: [String], _ items: [NamedItem], _ noun: String
    ) throws(FileProblem) -> Set<RemoteName>? {
        if wanted.isEmpty { return nil }
        let resolver = NameResolver(
            noun: noun, option: "--\(noun)", remote: origin.path, items: .all(items))
        var found: Set<RemoteName> = []
        for name in wanted {
            do throws(FileProblem) {
                found.insert(try resolver.item(name).identifier)
            } catch {
                if error.kind != .unknownName { throw error }
            }
        }
        return found
    }

    private static func items(
        _ contents: ArchiveContents, _ name: (ArchiveContents.Entry) -> RemoteName?,
        _ descriptions: [RemoteName: String]
    ) -> [NamedItem] {
        Set(contents.entries.lazy.compactMap(name)).sorted().map { NamedItem($0, descriptions[$0]) }
    }
}

extension ArchiveContents {
    /// The reason why descriptions in the archive are unknown; nil if they are not encrypted.
    func lockedDescriptions(in archive: FilePath) -> FileProblem? {
        guard isEncrypted else { return nil }
        return .hiddenDescriptions(
            in: archive, "the descriptions in this archive are encrypted",
            advice: "Give an identifier: the paths in the archive contain them")
    }
}

extension FileProblem {
    /// The error for a name that is no identifier, where descriptions are unknown.
    static func hiddenDescriptions(in archive: FilePath, _ reason: String, advice: String) -> FileProblem {
        FileProblem(
            .unknownName, path: archive, "the archive has no such identifier, and \(reason)", advice: advice)
    }
}
