import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// The entries in the answer to `operations/list`, by folder.
struct RcloneListing {
    /// Every folder that has entries, or is an entry.
    private(set) var folders: [RemotePath: FolderListing] = [:]
    /// The digest of a file in the storage: its name, a space, and the digest.
    private(set) var digests: [RemotePath: String] = [:]
    private(set) var problems: [FileProblem] = []
    /// Whether folders have no times of their own; they are listed with ``FileTime/ofNothing``.
    private(set) var lacksFolderTimes = false

    /// The entries of a folder; none if it has none, or is not a folder.
    subscript(folder: RemotePath) -> FolderListing { folders[folder] ?? FolderListing() }

    private let root: FilePath
    /// The listed folder.
    let start: RemotePath
    /// The folder of the previous entry, which usually is the folder of the next one.
    private var last: (text: [UInt8], path: RemotePath, entries: FolderListing)?

    /// - Parameters:
    ///   - root: the root of the remote, for errors.
    ///   - start: the listed folder, below the root.
    init(_ json: [UInt8], root: FilePath, start: RemotePath = .root) throws(FileProblem) {
        self.root = root
        self.start = start
        folders[start] = FolderListing()
        var scanner = JSONScanner(json)
        // An answer without a list says nothing of the folder, not that it is empty.
        var isListed = false
        do throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                guard key == "list" else { return try scanner.skip() }
                isListed = true
                try scanner.array { (scanner) throws(JSONScanner.Problem) in add(try Item(&scanner)) }
            }
            try scanner.end()
            guard isListed else { throw JSONScanner.Problem(offset: 0, expected: "a list of entries") }
            endFolder()
            for folder in folders.keys { folders[folder]?.sort() }
        } catch {
            throw FileProblem(
                .unsupported, path: root, offset: error.offset,
                "rclone answers in a form that this version does not know",
                expected: error.expected, advice: RcloneProgram.advice)
        }
    }

    private struct Item {
        var path: [UInt8] = []
        var size: Int64 = -1
        var time: [UInt8] = []
        var isFolder = false
        var digest: String?

        init(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            var best = 4
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "Path": path = try scanner.string()
                case "Size": size = try scanner.integer()
                case "ModTime": time = try scanner.string()
                case "IsDir": isFolder = try scanner.boolean()
                case "Hashes" where !scanner.null():
                    try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
                        let value = try scanner.text()
                        // Comparable digests, the best first; otherwise any, as part of the key in the cache.
                        let rank = ["sha256", "sha1", "md5"].firstIndex(of: name) ?? 3
                        guard rank < best, !value.isEmpty else { return }
                        best = rank
                        digest = "\(name) \(value)"
                    }
                default: try scanner.skip()
                }
            }
        }
    }

    private mutating func add(_ item: Item) {
        guard let (folder, start) = place(item.path) else { return }
        let name = item.path[start...]
        func path() -> RemotePath { folder.appending(RemoteName(name)) }
        guard item.isFolder || item.size >= 0 else {
            return note(path(), "the storage does not say how large it is")
        }
        guard var modified = FileTime(rclone: item.time), item.isFolder || !modified.isOfNothing else {
            return note(path(), "the storage does not say when it was changed")
        }
        if modified.isOfNothing {
            modified = .ofNothing
            lacksFolderTimes = true
        }
        let isKept = name.withUnsafeBytes { name in
            last?.entries.append(
                name: name, item.isFolder ? .folder : .file, max(item.size, 0), modified)
        }
        guard isKept == true else { return note(folder, Self.tooMany) }
        if item.isFolder, folders[path()] == nil { folders[path()] = FolderListing() }
        if let digest = item.digest { digests[path()] = digest }
    }

    /// Stores the entries of the last folder.
    private mutating func endFolder() {
        guard let last else { return }
        self.last = nil
        let isKept = folders[last.path, default: FolderListing()].append(last.entries)
        if !isKept { note(last.path, Self.tooMany) }
    }

    /// The folder of an entry, and the position of its name in its path below the listed folder.
    private mutating func place(_ path: [UInt8]) -> (folder: RemotePath, start: Int)? {
        if let last, let start = Self.start(of: path, in: last.text), Self.isKnown(path[start...]) {
            return (last.path, start)
        }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { $0 + 1 } ?? 0
        let above = path[..<(slash ?? 0)]
        guard slash != 0, Self.isKnown(path[start...]) else {
            noteUnreadable(path)
            return nil
        }
        let names = above.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard above.isEmpty || names.allSatisfy(Self.isName) else {
            noteUnreadable(path)
            return nil
        }
        let folder = RemotePath(above.isEmpty ? [] : names.map { RemoteName($0) })
        endFolder()
        last = (Array(above), folder, FolderListing())
        return (folder, start)
    }

    /// The position of the name of an entry of this folder; nil if the path leads elsewhere.
    private static func start(of path: [UInt8], in folder: [UInt8]) -> Int? {
        let start = folder.isEmpty ? 0 : folder.count + 1
        guard path.count > start, start == 0 || path[start - 1] == UInt8(ascii: "/") else { return nil }
        let isInside = path.withUnsafeBytes { path in
            folder.withUnsafeBytes { path.begins(with: $0) }
                && !path[start...].contains(UInt8(ascii: "/"))
        }
        return isInside ? start : nil
    }

    /// Whether this is the name in the storage: rclone writes U+FFFD for bytes that are not UTF-8.
    private static func isKnown(_ name: ArraySlice<UInt8>) -> Bool {
        // The search for several bytes is slow, and few names need it.
        isName(name) && !(name.contains(0xEF) && name.contains("\u{FFFD}".utf8))
    }

    private mutating func noteUnreadable(_ path: [UInt8]) {
        note(start, "the storage has a name here that cannot be read: \(escapedName(path))")
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8) && !name.contains(0)
            && name.count <= Int(UInt16.max)
    }

    private static let tooMany = "the names of this folder take more than 4 GiB"

    private mutating func note(_ path: RemotePath, _ problem: String) {
        problems.append(FileProblem(.unreadable, path: path.filePath(under: root), problem))
    }
}

extension FileTime {
    /// The time that rclone is configured to give for an unknown time; by default it gives 2000-01-01, which could be a
    /// real one. The value is before all computers, and after the year 1 of Go.
    static let ofNothing = FileTime(seconds: -11_676_096_000)

    /// Whether rclone invented the time: this one, or the first time of Go, which backends leave in place.
    var isOfNothing: Bool { seconds <= Self.ofNothing.seconds }

    /// A time as rclone writes it (RFC 3339): `2014-05-13T16:53:00.123456789Z`, or `+02:00` at the end.
    init?(rclone text: [UInt8]) {
        if text.last == UInt8(ascii: "Z") {
            guard let time = text.withUnsafeBufferPointer({ FileTime(iso: $0) }) else { return nil }
            self = time
            return
        }
        guard text.count > 6, let sign = [UInt8(ascii: "+"): -1, UInt8(ascii: "-"): 1][text[text.count - 6]],
            text[text.count - 3] == UInt8(ascii: ":"),
            let hours = Int64(String(decoding: text[(text.count - 5)..<(text.count - 3)], as: UTF8.self)),
            let minutes = Int64(String(decoding: text.suffix(2), as: UTF8.self)), hours >= 0, minutes >= 0,
            let local = FileTime(iso: String(decoding: text.dropLast(6), as: UTF8.self) + "Z")
        else { return nil }
        // bounded: two digits each
        self = local.adding(seconds: Int64(sign) * (hours * 3_600 + minutes * 60))
    }
}
