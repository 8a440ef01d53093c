import Base
import Mounting
import SystemCalls
import SystemPackage
import TICDSCore

/// The changes of all objects of a document as text in a file without a name, and where those of each object are.
final class HistoryIndex: KeptOnDisk {
    /// A piece of the file.
    private struct Piece: Sendable {
        let offset: Int64
        let length: Int32
        /// The number of the set of a change.
        let heading: Int32
    }

    let size: Int64
    let memory: Int64
    private let file: UnnamedFile
    private let descriptor: LocalFile
    private let headings: [Piece]
    private let changes: [Piece]
    /// The numbers of the changes that concern an object, by its sync ID.
    private let objects: [String: [UInt32]]
    /// The reasons why changes may be missing.
    let problems: SharedBytes?

    /// Reads all change sets of a document.
    init(of document: DocumentSnapshot, at moment: RemoteMoment) throws(FileProblem) {
        file = try UnnamedFile()
        var lines = ChangeLines(collectingJSON: false, moment.style)
        lines.clientNames = moment.clientNames
        var headings: [Piece] = []
        var changes: [Piece] = []
        var objects: [String: [UInt32]] = [:]
        var problems: [FileProblem] = []
        var written: Int64 = 0
        var latest: (client: String?, changeSet: String)?
        try PrivateFile.write(file.path) { (output) throws(FileProblem) in
            func flush() throws(FileProblem) {
                let bytes = SharedBytes(lines.collected)
                lines.clear()
                try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
            }
            func piece(_ before: Int) -> Piece {
                let length = lines.count - before
                let piece = Piece(
                    offset: written, length: Int32(clamping: length),
                    heading: Int32(clamping: headings.count - 1))
                written += Int64(length)
                return piece
            }
            try ChangeHistory(of: document).forEachRecord(
                in: moment.storage, moment.keyring,
                onDamage: { problem throws(FileProblem) in problems.append(problem) }
            ) { (record) throws(FileProblem) in
                let ids = Set([record.change.objectSyncID, record.change.relatedSyncID].compactMap(\.self))
                if ids.isEmpty { return }
                var before = lines.count
                if latest == nil || latest?.client != record.client || latest?.changeSet != record.changeSet {
                    latest = (record.client, record.changeSet)
                    lines.addHeading(of: record)
                    headings.append(piece(before))
                    before = lines.count
                }
                lines.addBody(of: record)
                for id in ids { objects[id, default: []].append(UInt32(clamping: changes.count)) }
                changes.append(piece(before))
                if lines.count > 1 << 18 { try flush() }
            }
            try flush()
        }
        descriptor = LocalFile(try OwnedDescriptor.file(file.path))
        size = written
        memory =
            Int64(headings.count + changes.count) *| Int64(MemoryLayout<Piece>.stride)
            +| objects.reduce(Int64(0)) { $0 +| Int64($1.key.utf8.count +| 160 +| $1.value.capacity *| 4) }
        self.headings = headings
        self.changes = changes
        self.objects = objects
        if let gap = moment.snapshot.gap(below: document.path.appending(RemoteLayout.syncChanges)) {
            problems.append(gap)
        }
        self.problems = HistoryIndex.text(of: problems)
    }

    private static func text(of problems: [FileProblem]) -> SharedBytes? {
        if problems.isEmpty { return nil }
        var lines = ChangeLines(collectingJSON: false, TextStyle())
        for problem in problems.prefix(100) { lines.add(problem) }
        return SharedBytes(lines.collected)
    }

    /// The number of bytes of the history of an object.
    func size(of syncID: String) -> Int64 {
        pieces(of: syncID).reduce(Int64(problems?.count ?? 0)) { $0 + Int64($1?.length ?? 1) }
    }

    /// The history of an object.
    func text(of syncID: String) throws(FileProblem) -> SharedBytes {
        var bytes: [UInt8] = []
        for piece in pieces(of: syncID) {
            guard let piece else {
                bytes.append(0x0A)
                continue
            }
            let part = try PrivateBytes(count: Int(piece.length), path: descriptor.path)
            let count = try descriptor.read(into: part.memory, at: Int(piece.offset))
            bytes += part.memory[..<count]
        }
        if let problems { problems.withUnsafeBytes { bytes += $0 } }
        return SharedBytes(bytes)
    }

    /// The pieces of the history of an object; nil for an empty line.
    private func pieces(of syncID: String) -> [Piece?] {
        var pieces: [Piece?] = []
        var heading: Int32 = -1
        for number in objects[syncID] ?? [] {
            let change = changes[Int(number)]
            if change.heading != heading {
                if heading >= 0 { pieces.append(nil) }
                heading = change.heading
                pieces.append(headings[Int(heading)])
            }
            pieces.append(change)
        }
        return pieces
    }
}

/// The changes that concern an object, as `ticds-changes log` prints them.
struct ObjectHistory: VirtualFile {
    let remote: MountedRemote
    let document: RemoteName
    let syncID: String

    // try?: the time of a file that cannot be made does not matter
    var modified: FileTime { (try? remote.now().document(document).modified) ?? FileTime(seconds: 0) }

    func size() throws(FileProblem) -> Int64 { try index().size(of: syncID) }

    func open() throws(FileProblem) -> any VirtualContent {
        let index = try index()
        if index.problems != nil {
            remote.problems.report(
                lackAt: remote.place(of: document), of: "histories",
                advice: "Each of them says at its end what")
        }
        return try index.text(of: syncID)
    }

    private func index() throws(FileProblem) -> HistoryIndex {
        let moment = try remote.now()
        let shown = try moment.document(document)
        let key = StateCache.Key(
            kind: .history, path: shown.snapshot.path, fingerprint: shown.fingerprint)
        return try remote.states.get(key) { () throws(FileProblem) in
            try HistoryIndex(of: shown.snapshot, at: moment)
        }
    }
}
