import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ArchiveDiff: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two archives or remotes, file by file.",
        discussion: """
            Shows what only one side has, and where sizes, bytes (SHA-256) or times differ. Believes the manifest of \
            an archive; verify checks whether the archive agrees with it. What an archive lacks because it was made of \
            a part of the remote (with --document, --client or --only) or with --decrypt is "not part", and no \
            difference. Ends with 1 if anything differs.

            Examples:
              ticds-archive diff monday.tar.zst tuesday.tar.zst
              ticds-archive diff app.tar.zst ~/Dropbox/com.example.app
              ticds-archive diff monday.tar.zst tuesday.tar.zst --document Notebook --type wholeStore
            """)

    @Argument(
        help: .value("before", "An archive or a remote; - is standard input."),
        completion: LiveCompletion.remotes.kind)
    var before: String

    @Argument(
        help: .value("after", "What to compare it with: another archive, or a remote."),
        completion: LiveCompletion.remotes.kind)
    var after: String

    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var entries: EntryOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if before == "-", after == "-" { throw ValidationError("Standard input can be read only once.") }
    }

    /// The result of a comparison.
    struct Report {
        var before: FilePath
        var after: FilePath
        var differences: [ArchiveDifference]
    }

    static let schema = JSONSchema<Report>(
        "ticds.archiveDiff/1", "Printed by ticds-archive(1) `diff`."
    ) {
        $0("before", "The first archive or remote.", \.before)
        $0("after", "The second one.", \.after)
        $0(
            "differences", "By path.", \.differences,
            JSONFields {
                $0("path", "Below the remote.", \.path)
                $0(
                    "change",
                    """
                    `added` and `removed` are what only the second and only the first has; `changed` has other bytes, \
                    `time` only another time; `kind` is a folder on one side alone, `unread` could \
                    not be compared, `unknown` was left out of one of the archives when it was made, and `notPart` does not \
                    belong to the part of the remote of which one of the archives was made.
                    """, \.kind)
                $0("before", "Null if the first does not have it.", \.before, ArchiveContents.Entry.fields)
                $0("after", "Null if the second does not have it.", \.after, ArchiveContents.Entry.fields)
            })
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        transfer.apply()
        let sides = try (Side(before), Side(after))
        let bar = ArchiveProgress("comparing", context)
        let named = documents.isNarrowed || clients.isNarrowed
        let (one, other) = try Self.contents(sides, descriptions: named, bar)
        bar.end()
        for contents in [one, other] {
            for problem in contents.problems { context.report(problem) }
            if contents.manifest?.scope.isEverything == false {
                context.warn("an archive contains only a part of a remote")
            }
        }
        if one.isEncrypted != other.isEncrypted {
            context.warn("one side is encrypted and the other is not, so that the bytes of most files differ")
        }
        let lacking = zip([one, other], [sides.0, sides.1]).compactMap {
            context.warnOfEntries(leftOutOf: $0.manifest, of: $1.path)
        }
        let gap = one.problems.first ?? other.problems.first ?? lacking.first
        let items = Names(one, other, in: sides.0.path)
        let wanted =
            documents.isNarrowed
            ? try documents.some(of: Seen(items.documents, gap), in: sides.0.path).map(\.identifier) : nil
        let owners = try clients.chosen(of: Seen(items.clients, gap), in: sides.0.path)
        let chosen = try entries.chosen(
            ArchiveDifference.between(one, other), kind: { $0.entry?.role.rawValue ?? "" }, path: \.path,
            { ($0.entry?.size ?? -1, $0.entry?.modified) }, of: wanted.map(Set.init), owners, context.style)
        let differences = chosen.entries
        let report = Report(before: sides.0.path, after: sides.1.path, differences: differences)
        if !differences.isEmpty || !context.isSilent(.success) {
            try context.print(report, Self.schema) {
                show(report, isWhole: gap == nil, to: &$0, context)
                if let note = chosen.note(besides: gap) { $0.line(note) }
            }
        }
        if gap != nil { return .partial }
        return differences.allSatisfy { $0.kind == .notPart } ? .success : .findings
    }

    /// The documents and clients of both sides.
    private struct Names {
        let documents: [NamedItem]
        let clients: [NamedItem]

        init(_ one: ArchiveContents, _ other: ArchiveContents, in archive: FilePath) {
            let locked = one.lockedDescriptions(in: archive) ?? other.lockedDescriptions(in: archive)
            func items(
                _ name: (RemotePath) -> RemoteName?, _ descriptions: (ArchiveContents) -> [RemoteName: String]
            ) -> [NamedItem] {
                Set([one, other].flatMap { $0.entries.lazy.map(\.path).compactMap(name) }).sorted().map {
                    let known = descriptions(other)[$0] ?? descriptions(one)[$0]
                    return NamedItem($0, known, locked: known == nil ? locked : nil)
                }
            }
            documents = items(\.document, \.documents)
            clients = items(\.client, \.clients)
        }
    }

    private enum Side {
        case archive(ArchiveOrigin)
        case remote(any RemoteStorage)

        init(_ argument: String) throws {
            guard argument != "-" else {
                self = .archive(.standardInput)
                return
            }
            let address = try RemoteAddress(argument: argument)
            if let archive = address.archive {
                self = .archive(.file(try archive.archive))
            } else if try Self.isRemote(address) {
                self = .remote(try Self.remote(address))
            } else {
                self = .archive(try ArchiveArgument.origin(argument))
            }
        }

        private static func remote(_ address: RemoteAddress) throws(FileProblem) -> any RemoteStorage {
            do throws(FileProblem) {
                return try address.storageWithoutLinks()
            } catch {
                guard error.kind == .notARemote, case .folder(let path) = address,
                    try !ArchiveOrigin.archives(in: path).isEmpty
                else { throw error }
                throw ArchiveOrigin.isFolder(path)
            }
        }

        private static func isRemote(_ address: RemoteAddress) throws(FileProblem) -> Bool {
            guard case .folder(let path) = address else { return true }
            guard let place = try path.resolved() else { return false }
            return try FileStatus.ifPresent(place)?.kind == .folder
        }

        var path: FilePath {
            switch self {
            case .archive(let origin): origin.path
            case .remote(let storage): storage.root
            }
        }
    }

    /// The contents of one side. In a remote, the command reads only files whose size equals the archived size.
    private static func contents(
        _ sides: (Side, Side), descriptions: Bool, _ bar: ArchiveProgress
    ) throws -> (ArchiveContents, ArchiveContents) {
        switch sides {
        case (.archive(let one), .archive(let other)):
            let first = try ArchiveContents(of: one, digests: true, descriptions: descriptions)
            return (first, try ArchiveContents(of: other, digests: true, descriptions: descriptions))
        case (.archive(let archive), .remote(let storage)):
            let first = try ArchiveContents(of: archive, digests: true, descriptions: descriptions)
            return (first, try remote(storage, against: first, bar))
        case (.remote(let storage), .archive(let archive)):
            let second = try ArchiveContents(of: archive, digests: true, descriptions: descriptions)
            return (try remote(storage, against: second, bar), second)
        case (.remote(let one), .remote(let other)):
            let listed = try ArchiveContents(of: one, digestsOf: { _ in false })
            let second = try remote(other, against: listed, bar)
            return (try remote(one, against: second, bar), second)
        }
    }

    private static func remote(
        _ storage: any RemoteStorage, against archive: ArchiveContents, _ bar: ArchiveProgress
    ) throws(FileProblem) -> ArchiveContents {
        var done: Int64 = 0
        return try ArchiveContents(
            of: storage, digestsOf: { archive.entries.size(of: $0.path) == $0.size },
            progress: {
                done +|= $0
                bar.show(done, nil)
            })
    }

    private func show(
        _ report: Report, isWhole: Bool, to text: inout OutputBuffer, _ context: CommandContext
    ) {
        if report.differences.isEmpty {
            return text.line(isWhole ? "No differences." : "No differences in what could be read.")
        }
        var table = TextTable(
            ["CHANGE", "BEFORE", "AFTER", "PATH"], [.text, .number, .number, .copied],
            leavesOut: ["BEFORE", "AFTER"])
        for difference in report.differences {
            let (before, after) = Self.texts(difference, context.style)
            table.add([difference.kind.text, before, after, difference.path.description])
        }
        table.show(to: &text, colour: context.colour())
        text.line()
        let known = report.differences.count { $0.kind.isDifference }
        let counts = ArchiveDifference.Kind.allCases.compactMap { kind -> String? in
            let count = report.differences.count { $0.kind == kind }
            return count == 0 || !kind.isDifference ? nil : "\(kind.text) \(Quantities.count(count))"
        }
        text.line(
            known == 0
                ? "No differences in what \(isWhole ? "both have" : "could be read")."
                : "\(Quantities.count(known, "difference")): \(counts.joined(separator: ", ")).")
        for (side, place) in [(report.before, \ArchiveDifference.before), (report.after, \.after)] {
            let others = report.differences.count { $0.kind == .notPart && $0[keyPath: place] == nil }
            if others == 0 { continue }
            let entries = Quantities.count(others, "entry", "entries")
            text.line("Not compared: \(entries) not part of \(side), which was made of a part of the remote.")
        }
        let unread = report.differences.count { $0.kind == .unread }
        if unread > 0 { text.line("Not compared: \(Quantities.count(unread, "file")).") }
        let unknown = report.differences.count { $0.kind == .unknown }
        if unknown > 0 {
            let entries = Quantities.count(unknown, "entry", "entries")
            text.line("Unknown, since left out of one archive: \(entries).")
        }
    }

    private static func texts(_ difference: ArchiveDifference, _ style: TextStyle) -> (String, String) {
        if difference.kind == .time, let one = difference.before?.modified,
            let other = difference.after?.modified
        {
            let isExact = style.second(one) == style.second(other)
            return isExact ? (one.iso, other.iso) : (style.second(one), style.second(other))
        }
        return (text(difference.before, style), text(difference.after, style))
    }

    private static func text(_ entry: ArchiveContents.Entry?, _ style: TextStyle) -> String {
        guard let entry else { return "" }
        return entry.role == .folder ? "folder" : style.size(entry.size)
    }
}

extension ArchiveDifference {
    /// The entry after the change, or the removed one.
    fileprivate var entry: ArchiveContents.Entry? { after ?? before }
}

extension ArchiveDifference.Kind: JSONWord {
    fileprivate var text: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        case .time: "other time"
        case .kind: "other kind"
        case .unread: "not compared"
        case .unknown: "unknown"
        case .notPart: "not part"
        }
    }
}
