import Base
import Cryptography
public import SystemCalls
import SystemPackage
public import TICDSCore

/// The state of an entry of a remote when the plan was made, which is the precondition of every action.
public struct EntryState: Hashable, Sendable, Codable {
    /// File, folder, link or something else.
    public var kind: FileKind
    /// The size in bytes; for a folder, of all files below it.
    public var size: Int64
    /// The modification time. Nil for folders, because their time does not depend on what is below, unless an action
    /// sets this time.
    public var modified: FileTime?
    /// Files below a folder, links included; nil for others.
    public var files: Int?
    /// For a folder, the SHA-256, in hexadecimal, of the paths, kinds, sizes and times of all entries below it.
    public var listing: String?

    /// A state; `files` and `listing` are for folders.
    public init(
        kind: FileKind, size: Int64, modified: FileTime?, files: Int? = nil, listing: String? = nil
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.files = files
        self.listing = listing
    }

    /// The state of a folder whose time will be set; its content does not matter.
    public static func folder(modified: FileTime) -> EntryState {
        EntryState(kind: .folder, size: 0, modified: modified)
    }

    /// The state of a file, link or special file.
    public init(_ file: RemoteFile) { self.init(kind: .file, size: file.size, modified: file.modified) }

    /// The state of a folder, from the listings of it and of every folder below it.
    /// - Parameter list: returns the entries of a folder, or throws the error of listing it.
    public init(
        folder: RemotePath, _ list: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) {
        var digest = try ListingDigest(of: folder)
        try digest.add(folder, below: [], list)
        self.init(
            kind: .folder, size: digest.totals.bytes, modified: nil, files: digest.totals.count,
            listing: digest.text)
    }
}

/// The SHA-256 over everything below a folder, and the totals of its files.
private struct ListingDigest: ~Copyable {
    private var hash: SHA256
    private(set) var totals = FileTotals()

    init(of folder: RemotePath) throws(FileProblem) { hash = try SHA256(for: folder.filePath(under: ".")) }

    var text: String { hexadecimalDigits(of: hash.finalize()) }

    mutating func add(
        _ folder: RemotePath, below prefix: [UInt8],
        _ list: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) {
        guard folder.names.count <= RemoteScanner.deepestFolder else {
            throw FileProblem(
                .limit, path: folder.filePath(under: "."), "nested too deep to be part of a remote",
                expected: "at most \(RemoteScanner.deepestFolder) folders")
        }
        let listing = try list(folder)
        for position in listing.indices {
            let kind = listing.kind(at: position)
            var record = prefix
            listing.withName(at: position) { record.append(contentsOf: $0) }
            let path = record
            record += [0, kind.rawValue]
            if kind != .folder {
                let size = listing.size(at: position)
                let time = listing.modified(at: position)
                for number in [size, time.seconds, Int64(time.nanoseconds)] {
                    withUnsafeBytes(of: number.littleEndian) { record.append(contentsOf: $0) }
                }
                totals.add(size)
            }
            hash.update(record)
            if kind == .folder {
                let inner = folder.appending(listing[position].name)
                try add(inner, below: path + [UInt8(ascii: "/")], list)
            }
        }
    }
}

extension RemoteTree {
    /// The state of an entry, or of the root, as it was listed.
    /// - Throws: `.missing`, or the reason why a folder below could not be listed.
    public func state(of path: RemotePath) throws(FileProblem) -> EntryState {
        let isFolder: Bool
        if let entry = try self[path].whole {
            isFolder = entry.kind == .folder
            if !isFolder { return EntryState(kind: entry.kind, size: entry.size, modified: entry.modified) }
        } else {
            guard path.names.isEmpty else {
                throw FileProblem(
                    .missing, path: path.filePath(under: root), "not in the remote",
                    advice: "Make the plan again")
            }
        }
        return try EntryState(folder: path) { (folder) throws(FileProblem) in
            guard let listing = folders[folder] else {
                let place = folder.filePath(under: root)
                throw problems.first { $0.path == place }
                    ?? FileProblem(.unreadable, path: place, "could not be listed")
            }
            return listing
        }
    }
}

extension RemoteStorage {
    /// The state of an entry now.
    public func state(of path: RemotePath) throws(FileProblem) -> EntryState {
        let status = try status(of: path)
        guard status.kind == .folder else {
            return EntryState(kind: status.kind, size: status.size, modified: status.modified)
        }
        return try EntryState(folder: path) { (folder) throws(FileProblem) in
            let contents = try list(folder)
            if let problem = contents.problems.first { throw problem }
            return contents.listing
        }
    }
}
