import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The snapshots in a folder, by their names alone, and the choice of one of them: `latest`, a day or time in UTC, or a
/// tag.
public struct SnapshotFolder: Sendable {
    /// The folder.
    public let path: FilePath
    /// The names of the snapshots, from the oldest to the newest.
    public let snapshots: [DatedArchiveName]

    /// The choice of the newest snapshot.
    public static let latest = "latest"

    /// Lists the snapshots in a folder; none if it does not exist.
    public init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        let entries = try unlessMissing { () throws(FileProblem) in
            try DirectoryReader.entries(of: try OwnedDescriptor.folder(path))
        }
        snapshots = (entries ?? []).lazy.filter { $0.status.kind == .file || $0.status.kind == .symbolicLink }
            .compactMap { DatedArchiveName(RemoteName($0.name)) }.sorted()
    }

    /// The path of a snapshot.
    public func path(of snapshot: DatedArchiveName) -> FilePath {
        path.pushing(FilePath(nameBytes: snapshot.name.bytes))
    }

    /// The snapshot that `choice` names: `latest`; the newest that is not later than a day, month, year or time of day;
    /// or the newest with a tag.
    /// - Throws: `.unknownName` if there is none, `.ambiguous` if several remotes have one, or if the choice is a time
    ///   and also the tag of another snapshot.
    public func snapshot(_ choice: String) throws(FileProblem) -> FilePath {
        let newest = newest(of: fitting(choice))
        let tagged = self.newest(of: snapshots.filter { $0.tag?.description == choice })
        let found = newest.union(tagged)
        if found.count == 1, let snapshot = found.first { return path(of: snapshot) }
        guard found.isEmpty else {
            let isTwofold = newest.count == 1 && tagged.count == 1
            throw FileProblem(
                .ambiguous, path: path,
                isTwofold
                    ? "'\(choice)' is a time, and also the tag of another snapshot"
                    : "has snapshots of several remotes",
                expected: isTwofold ? nil : "those of one remote",
                found: found.sorted().map(\.name.description).listed(10), advice: "Name one of these files")
        }
        throw FileProblem(
            .unknownName, path: path, "there is no snapshot '\(escapedText(choice))'",
            expected: choicesInWords,
            found: snapshots.isEmpty ? "no snapshots" : nil,
            advice: "ticds-archive list \(ShellWord.quoted(path)) shows the snapshots")
    }

    /// The error for the folder itself in place of a remote.
    public var asRemote: FileProblem {
        let word = ShellWord.quoted(path)
        return FileProblem(
            .notARemote, path: path, "is a folder of snapshots, and not a remote", expected: choicesInWords,
            found: counted(snapshots.count, "snapshot"),
            advice:
                "Name one of them, such as \(word):\(Self.latest); all are shown by: ticds-archive list \(word)"
        )
    }

    /// The choices that there are: the newest, each tag, and each day with a snapshot, the latest first.
    var choices: [String] {
        if snapshots.isEmpty { return [] }
        var days: [String] = []
        for day in snapshots.reversed().map({ String($0.time.iso.prefix(10)) }) where days.last != day {
            days.append(day)
        }
        return [Self.latest] + Set(snapshots.compactMap(\.tag)).sorted().map(\.description) + days
    }

    /// The choices that there are, in words; nil without snapshots.
    private var choicesInWords: String? {
        guard let first = snapshots.first, let last = snapshots.last else { return nil }
        let tags = Set(snapshots.compactMap(\.tag)).sorted().map(\.description)
        let days = "\(Self.latest), or a day from \(first.time.iso.prefix(10)) to \(last.time.iso.prefix(10))"
        return tags.isEmpty ? days : "\(days), or a tag: \(tags.listed(5))"
    }

    private struct Owner: Hashable {
        var application: RemoteName
        var identifier: String?

        init(_ snapshot: DatedArchiveName) {
            application = snapshot.application
            identifier = snapshot.identifier
        }
    }

    /// The newest snapshot of each remote.
    private func newest(of snapshots: [DatedArchiveName]) -> Set<DatedArchiveName> {
        var newest: [Owner: DatedArchiveName] = [:]
        for snapshot in snapshots { newest[Owner(snapshot)] = snapshot }
        return Set(newest.values)
    }

    private func fitting(_ choice: String) -> [DatedArchiveName] {
        if choice == Self.latest { return snapshots }
        if let moment = Self.moment(choice) {
            return snapshots.filter { snapshot in
                !moment.utf8.lexicographicallyPrecedes(snapshot.time.iso.utf8.prefix(moment.utf8.count))
            }
        }
        return snapshots.filter { $0.tag?.description == choice }
    }

    /// The beginning of a time in ISO 8601; nil for a text that is none.
    private static func moment(_ text: String) -> String? {
        let whole = "0001-01-01T00:00:00"
        let text = text.hasSuffix("Z") ? String(text.dropLast()) : text
        guard [4, 7, 10, 16, 19].contains(text.utf8.count) else { return nil }
        let rest = String(decoding: whole.utf8.dropFirst(text.utf8.count), as: UTF8.self)
        return FileTime(iso: text + rest + "Z") == nil ? nil : text
    }

    /// Whether a text may choose a snapshot without being a tag.
    static func isChoice(_ text: String) -> Bool { text == latest || moment(text) != nil }
}
