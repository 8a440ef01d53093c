import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The entries that `operations/list` answers, by folder.
struct RcloneListing {
    /// Every folder that has entries, or is an entry.
    private(set) var folders: [RemotePath: [FolderEntry]] = [:]
    /// The digest that the storage has of a file: its name, a space, and the digest.
    private(set) var digests: [RemotePath: String] = [:]
    private(set) var problems: [FileProblem] = []

    private let root: FilePath
    /// The folder that was listed.
    private let start: RemotePath
    /// The folder of the entry before, which is mostly that of the next one.
    private var last: (text: [UInt8], path: RemotePath, entries: [FolderEntry])?

    /// - Parameters:
    ///   - root: of the remote, for errors.
    ///   - start: the folder that was listed, below the root.
    init(_ json: [UInt8], root: FilePath, start: RemotePath = .root) throws(FileProblem) {
        self.root = root
        self.start = start
        folders[start] = []
        var scanner = JSONScanner(json)
        do throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                guard key == "list" else { return try scanner.skip() }
                if scanner.null() { return }
                try scanner.array { (scanner) throws(JSONScanner.Problem) in add(try Item(&scanner)) }
            }
            try scanner.end()
            endFolder()
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
                        // Those that are compared, the best first; else any, as part of the key in the mirror.
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
        guard let (folder, name) = place(item.path) else { return }
        guard item.isFolder || item.size >= 0 else {
            return note(folder.appending(name), "the storage does not say how large it is")
        }
        guard let modified = FileTime(rclone: item.time) else {
            return note(folder.appending(name), "the storage does not say when it was changed")
        }
        last?.entries.append(
            FolderEntry(
                name: name, kind: item.isFolder ? .folder : .file, size: max(item.size, 0), modified: modified
            ))
        if item.isFolder {
            let path = folder.appending(name)
            folders[path] = folders[path] ?? []
        }
        if let digest = item.digest { digests[folder.appending(name)] = digest }
    }

    /// Keeps the entries of the folder that came last.
    private mutating func endFolder() {
        if let last { folders[last.path, default: []] += last.entries }
        last = nil
    }

    /// The folder and the name of an entry, from its path below the folder that was listed.
    private mutating func place(_ path: [UInt8]) -> (RemotePath, RemoteName)? {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = path[(slash.map { $0 + 1 } ?? 0)...]
        let above = slash.map { Array(path[..<$0]) } ?? []
        // The search for several bytes is slow, and few names need it.
        let isReplaced = name.contains(0xEF) && name.contains("\u{FFFD}".utf8)
        guard slash != 0, Self.isName(name), !isReplaced else {
            note(start, "the storage has a name here that cannot be read: \(escapedName(path))")
            return nil
        }
        if let last, last.text == above { return (last.path, RemoteName(name)) }
        let names = above.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard above.isEmpty || names.allSatisfy(Self.isName) else {
            note(start, "the storage has a name here that cannot be read: \(escapedName(path))")
            return nil
        }
        let folder = RemotePath(above.isEmpty ? [] : names.map { RemoteName($0) })
        endFolder()
        last = (above, folder, [])
        return (folder, RemoteName(name))
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8) && !name.contains(0)
            && name.count <= Int(UInt16.max)
    }

    private mutating func note(_ path: RemotePath, _ problem: String) {
        problems.append(FileProblem(.unreadable, path: path.filePath(under: root), problem))
    }
}

extension FileTime {
    /// A time as rclone writes it (RFC 3339): `2014-05-13T16:53:00.123456789Z`, or `+02:00` at the end.
    init?(rclone text: [UInt8]) {
        if text.last == UInt8(ascii: "Z") {
            self.init(iso: String(decoding: text, as: UTF8.self))
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
