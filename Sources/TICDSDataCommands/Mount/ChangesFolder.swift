import Base
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// `documents/NAME/changes`: a file of JSON and one of text for each change set.
struct ChangesFolder: VirtualFolder {
    let remote: MountedRemote
    let document: RemoteName

    // try?: the time of a folder that cannot be listed does not matter
    var modified: FileTime { (try? remote.now().document(document).modified) ?? FileTime(seconds: 0) }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        return moment.changes(of: try moment.document(document), remote)
    }
}

/// The change sets of a document in the order of application, and the names of their files.
final class ChangesListing: Sendable {
    let history: ChangeHistory
    /// The names of the sets, without endings.
    let names: NameIndex
    private let moment: RemoteMoment
    private let problem: FileProblem?
    private let sizes: Mutex<KnownSizes>
    private let lastRead = Atomic(-1)
    /// The position of the last content that was made in advance.
    private let madeAhead = Mutex(-1)

    /// How many contents are made in advance.
    private static let window = 64
    /// The number of bytes of a content after which no other is made in advance for now.
    private static let largestAhead: Int64 = 1 << 20

    init(of document: RemoteMoment.ShownDocument, at moment: RemoteMoment) {
        self.moment = moment
        history = ChangeHistory(of: document.snapshot)
        names = Self.names(of: history, at: moment)
        problem = moment.snapshot.gap(
            below: document.snapshot.path.appending(RemoteLayout.syncChanges))
        sizes = Mutex(KnownSizes(count: 2 * history.count))
    }

    /// The names of the files of the sets.
    private static func names(of history: ChangeHistory, at moment: RemoteMoment) -> NameIndex {
        let room = 5
        var builder = NameIndex.Builder()
        let areUnique = forEachText(of: history, at: moment) { text, _ in
            builder.append(VirtualNames.name(text, room: room))
        }
        if areUnique { return builder.index }
        builder = NameIndex.Builder()
        var names = VirtualNames()
        _ = forEachText(of: history, at: moment) { text, entry in
            builder.append(names.next(text, or: entry.file.identifier.text, room: room))
        }
        return builder.index
    }

    /// The time of each set and the name of its client. Sets of the same second get a number behind the time, so that
    /// names are in the order of application.
    /// - Returns: whether each name begins with a time and number that no other has. Clocks show an hour twice in autumn.
    private static func forEachText(
        of history: ChangeHistory, at moment: RemoteMoment, _ body: (String, ChangeHistory.Entry) -> Void
    ) -> Bool {
        var areUnique = true
        var last = ""
        var clients: [RemoteName: String] = [:]
        var first = 0
        while first < history.count {
            let time = history[first].file.modified.seconds
            var end = first + 1
            while end < history.count, history[end].file.modified.seconds == time { end += 1 }
            let digits = String(end - first).utf8.count
            for position in first..<end {
                let entry = history[position]
                let name = clients[entry.client] ?? moment.name(of: entry.client)
                clients[entry.client] = name
                var stamp = MountText.stamp(entry.file.modified, moment.style)
                if position == first {
                    areUnique = areUnique && stamp > last && stamp.utf8.count == 19
                    last = stamp
                } else {
                    let number = String(position - first + 1)
                    stamp += "-" + String(repeating: "0", count: digits - number.utf8.count) + number
                }
                body("\(stamp) \(name)", entry)
            }
            first = end
        }
        return areUnique
    }

    /// The entries of the folder.
    func folder(_ remote: MountedRemote) -> VirtualListing {
        VirtualListing(
            count: 2 * history.count, problem: problem,
            name: { [self] in names[$0 / 2] + Self.endings[$0 % 2] },
            position: { [self] name in
                for (form, ending) in Self.endings.enumerated() {
                    guard let stem = name.before(ending: ending) else { continue }
                    return names.position(of: stem).map { 2 * $0 + form }
                }
                return nil
            }, isFolder: { _ in false }
        ) { [self] position in .file(ChangeSetText(listing: self, remote: remote, position: position)) }
    }

    /// The endings of the two files of a set.
    private static let endings = [".json", ".txt"]

    fileprivate func size(at position: Int) -> Int64? { sizes.withLock { $0[position] } }

    fileprivate func note(_ size: Int64, at position: Int) { sizes.withLock { $0[position] = size } }

    /// Makes the contents of the files after one that is read, if the files are read in their order: all, or those of one
    /// form. One thread does so while others answer. It waits until half of them are read: threads that take turns at each
    /// file cost more time than they save.
    fileprivate func readAhead(from position: Int, _ make: (Int) throws(FileProblem) -> Int64) {
        let step = position - lastRead.exchange(position, ordering: .relaxed)
        guard (1...2).contains(step) else { return }
        let room = step * Self.window
        madeAhead.withLockIfAvailable { made in
            // After a step back, or from one form to the other, nothing is made yet.
            let isAhead = (position...position + room).contains(made) && (made - position) % step == 0
            if !isAhead { made = position }
            guard made - position <= room / 2 else { return }
            while made + step < 2 * history.count {
                let distance = made + step - lastRead.load(ordering: .relaxed)
                guard (1...room).contains(distance) else { return }
                made += step
                // try?: whoever reads that file gets the error
                guard let size = try? make(made), size <= Self.largestAhead else { return }
            }
        }
    }

    /// The file of a set.
    fileprivate func entry(at position: Int) -> ChangeHistory.Entry { history[position / 2] }

    /// The text of the file: all changes, and what is wrong with the set.
    /// - Parameter onDamage: gets the first of what is wrong.
    /// - Throws: the reason why the set could not be read at all, for now.
    fileprivate func text(
        at position: Int, onDamage: (FileProblem) -> Void
    ) throws(FileProblem) -> SharedBytes {
        let entry = entry(at: position)
        let place = ChangePlace(
            document: entry.document.text, client: entry.client.text,
            changeSet: entry.file.identifier.text)
        var lines = ChangeLines(collectingJSON: position % 2 == 0, moment.style)
        lines.clientNames = moment.clientNames
        do throws(FileProblem) {
            let bytes = try moment.keyring.read(moment.storage, entry.path, limit: .changeSet)
            guard let done = lines.add(bytes, place) else { return SharedBytes(lines.collected) }
            let reader = try ChangeSetReader(bytes, path: entry.path.filePath(under: moment.storage.root))
            var problems: [FileProblem] = []
            try reader.forEachRecord(at: place, after: done, onDamage: { problems.append($0) }) {
                (record) throws(FileProblem) in
                try lines.add(record)
            }
            for problem in problems { lines.add(problem) }
            if let problem = problems.first { onDamage(problem) }
        } catch {
            if error.isUnread || error.kind == .missing { throw error }
            lines.add(error)
            onDamage(error)
        }
        return SharedBytes(lines.collected)
    }
}

/// The sizes of files, as far as they are known: those near each other are known at the same time, and most are never.
private struct KnownSizes {
    private static let pieceSize = 1_024
    private var pieces: [[Int64]]

    /// No sizes of this number of files.
    init(count: Int) { pieces = Array(repeating: [], count: count / Self.pieceSize + 1) }

    subscript(position: Int) -> Int64? {
        get {
            let piece = pieces[position / Self.pieceSize]
            guard !piece.isEmpty, piece[position % Self.pieceSize] >= 0 else { return nil }
            return piece[position % Self.pieceSize]
        }
        set {
            let number = position / Self.pieceSize
            if pieces[number].isEmpty { pieces[number] = Array(repeating: -1, count: Self.pieceSize) }
            pieces[number][position % Self.pieceSize] = newValue ?? -1
        }
    }
}

/// The changes of a set, as JSON Lines or text.
private struct ChangeSetText: VirtualFile {
    let listing: ChangesListing
    let remote: MountedRemote
    let position: Int

    var modified: FileTime { listing.entry(at: position).file.modified }

    var knownSize: Int64? { listing.size(at: position) }

    func readAhead() {
        listing.readAhead(from: position) { (next) throws(FileProblem) in
            try ChangeSetText(listing: listing, remote: remote, position: next).content().size
        }
    }

    func open() throws(FileProblem) -> any VirtualContent {
        let content = try content()
        // The file tells it, too; but a program that reads the file ends well.
        let path = listing.entry(at: position).path
        if let problem = remote.damage.withLock({ $0[path] }) { remote.problems.report(problem) }
        return content
    }

    private func content() throws(FileProblem) -> SharedBytes {
        let file = listing.entry(at: position)
        let key = ContentCache.Key(
            path: file.path, size: file.file.size, modified: file.file.modified, form: position % 2)
        let bytes = try remote.contents.content(key) { () throws(FileProblem) in
            try listing.text(at: position) { problem in remote.damage.withLock { $0[file.path] = problem } }
        }
        listing.note(bytes.size, at: position)
        return bytes
    }
}

/// The contents of the files that were read last: a program asks for the size of a file before it reads it.
final class ContentCache: Sendable {
    /// A content, by the file it was made of.
    struct Key: Hashable, Sendable {
        let path: RemotePath
        let size: Int64
        let modified: FileTime
        /// Which content of several.
        let form: Int
    }

    /// The bytes that are kept at most.
    private static let limit: Int64 = 24 << 20

    private struct Kept {
        var contents: [Key: (slot: Slot, size: Int64)] = [:]
        /// The keys, the oldest first.
        var order: [Key] = []
        var first = 0
        var bytes: Int64 = 0
    }

    /// A content, which one thread makes while others wait for it.
    private final class Slot: Sendable {
        let made = Mutex<SharedBytes?>(nil)
    }

    private let kept = Mutex(Kept())

    /// The content of a key.
    func content(
        _ key: Key, _ make: () throws(FileProblem) -> SharedBytes
    ) throws(FileProblem) -> SharedBytes {
        let slot = slot(key)
        return try slot.made.withLock { (made) throws(FileProblem) -> SharedBytes in
            if let made { return made }
            let content = try make()
            if content.size < Self.limit / 4, keep(content.size, slot, key) { made = content }
            return content
        }
    }

    private func slot(_ key: Key) -> Slot {
        kept.withLock { kept in
            if let known = kept.contents[key] { return known.slot }
            let slot = Slot()
            kept.contents[key] = (slot, 0)
            kept.order.append(key)
            Self.removeOldest(&kept)
            return slot
        }
    }

    /// Counts a content; false if its slot has gone.
    private func keep(_ size: Int64, _ slot: Slot, _ key: Key) -> Bool {
        kept.withLock { kept in
            guard kept.contents[key]?.slot === slot else { return false }
            kept.contents[key]?.size = size
            kept.bytes +|= size
            Self.removeOldest(&kept)
            return kept.contents[key] != nil
        }
    }

    private static func removeOldest(_ kept: inout Kept) {
        while kept.bytes > limit || kept.order.count - kept.first > 4_096 {
            let old = kept.contents.removeValue(forKey: kept.order[kept.first])
            kept.bytes = kept.bytes -| (old?.size ?? 0)
            kept.first += 1
        }
        if kept.first > 8_192 {
            kept.order.removeFirst(kept.first)
            kept.first = 0
        }
    }
}
