public import Base
public import SystemCalls
public import SystemPackage

/// An open file of a storage, which is read in pieces into memory of the caller.
public protocol ReadableFile: Sendable {
    /// The file, for errors.
    var path: FilePath { get }

    /// Size, time and identity of the file now.
    func status() throws(FileProblem) -> FileStatus

    /// The status from the moment of opening if it is known, otherwise the status now.
    func statusAtOpening() throws(FileProblem) -> FileStatus

    /// Fills `buffer` with the bytes from `offset` on; returns their number, which is less if the file ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int
}

extension ReadableFile {
    /// The status now.
    public func statusAtOpening() throws(FileProblem) -> FileStatus { try status() }

    /// The first `count` bytes of the file; fewer if it is shorter.
    public func head(count: Int) throws(FileProblem) -> SharedBytes {
        let bytes = try PrivateBytes(count: max(0, count), path: path)
        let filled = try read(into: bytes.memory, at: 0)
        return bytes.shared(0..<filled)
    }

    /// Fills the whole of `buffer`.
    /// - Throws: `.changedWhileReading` if the file ends before: another program has made it shorter.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) {
        guard try read(into: buffer, at: offset) == buffer.count else { throw RangeReader.changed(path) }
    }

    /// Whether `other` has the same bytes. Files of different sizes are not read; otherwise both are read to their
    /// ends, or to the first piece that differs.
    public func hasSameBytes(as other: any ReadableFile) throws(FileProblem) -> Bool {
        let size = try status().size
        guard try other.status().size == size else { return false }
        try ReadLimit.anyFile.check(size, path)
        let pieceSize = Int(min(max(size, 1), 256 << 10))
        let mine = try PrivateBytes(count: pieceSize, path: path)
        let its = try PrivateBytes(count: pieceSize, path: other.path)
        var offset = 0
        while offset <= size {
            let count = try read(into: mine.memory, at: offset)
            guard try other.read(into: its.memory, at: offset) == count else { return false }
            if count == 0 { return true }
            let bytes = UnsafeRawBufferPointer(rebasing: mine.memory[..<count])
            guard UnsafeRawBufferPointer(its.memory).begins(with: bytes) else { return false }
            offset += count
        }
        return false
    }

    /// The bytes of a range, as `fill` reads them.
    func bytes(_ range: Range<Int>) throws(FileProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var span = bytes.mutableSpan
        try span.withUnsafeMutableBytes { (buffer) throws(FileProblem) in
            try fill(buffer, at: range.lowerBound)
        }
        return bytes
    }
}

/// An open folder of a storage, from which many files are read.
public protocol ReadableFolder: Sendable {
    /// Opens the regular file of this name; nil if that fails. `RemoteStorage.open` then throws the reason.
    func open(_ name: RemoteName) -> (any ReadableFile)?
    /// Kind, size and times of the entry of this name, as `RemoteStorage.status` gives them; nil if that fails.
    func status(of name: RemoteName) -> FileStatus?
    /// Kind, size, times and mark of the entry of this name; nil if that fails, and for storages without marks.
    func mark(of name: RemoteName) -> (status: FileStatus, mark: ChangeMark)?
    /// Whether the first bytes of the file of this name, which a listing shows, are not all zeros; false if they cannot
    /// be read, or are fewer than two. `CloudPlaceholder` then decides.
    func beginsWithContent(_ name: RemoteName) -> Bool
}

extension ReadableFolder {
    /// Nil, for storages without marks.
    public func mark(of name: RemoteName) -> (status: FileStatus, mark: ChangeMark)? { nil }
}

/// Keeps the folder of the last file open, since the next file is usually in the same folder.
package struct LatestFolder {
    private var parent: RemotePath?
    private var folder: (any ReadableFolder)?

    package init() {}

    /// Opens a file, as the storage does.
    package mutating func open(
        _ file: RemotePath, in storage: any RemoteStorage
    ) throws(FileProblem) -> any ReadableFile {
        guard let name = file.last else { return try storage.open(file) }
        if let found = of(file, in: storage)?.open(name) { return found }
        return try storage.open(file)
    }

    /// The status of a file, as the storage has it.
    package mutating func status(
        of file: RemotePath, in storage: any RemoteStorage
    ) throws(FileProblem) -> FileStatus {
        guard let name = file.last else { return try storage.status(of: file) }
        if let found = of(file, in: storage)?.status(of: name) { return found }
        return try storage.status(of: file)
    }

    /// The status and the mark of a file; nil if they cannot be found out.
    package mutating func mark(
        of file: RemotePath, in storage: any RemoteStorage
    ) -> (status: FileStatus, mark: ChangeMark)? {
        file.last.flatMap { of(file, in: storage)?.mark(of: $0) }
    }

    private mutating func of(_ file: RemotePath, in storage: any RemoteStorage) -> (any ReadableFolder)? {
        if parent?.names.elementsEqual(file.names.dropLast()) != true {
            parent = file.parent
            folder = storage.openFolder(file.parent)
        }
        return folder
    }
}

/// A local file.
package final class LocalFile: ReadableFile {
    private let file: OwnedDescriptor
    package var path: FilePath { file.path }

    package init(_ file: consuming OwnedDescriptor) { self.file = file }

    package func status() throws(FileProblem) -> FileStatus { try file.status() }

    package func statusAtOpening() throws(FileProblem) -> FileStatus {
        if let status = file.statusAtOpening { return status }
        return try status()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        try file.read(into: buffer, at: offset)
    }
}

/// A file of a storage without open files: each piece is read by name.
struct NamedFile: ReadableFile {
    let storage: any RemoteStorage
    let file: RemotePath
    var path: FilePath { file.filePath(under: storage.root) }

    func status() throws(FileProblem) -> FileStatus { try storage.status(of: file) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        let bytes = try storage.read(file, range: offset..<offset + buffer.count)
        bytes.withUnsafeBytes { buffer.copyBytes(from: $0) }
        return bytes.count
    }
}

/// A file of a storage or a local file, which is read in ranges.
public struct RangeReader: Sendable {
    private let storage: any RemoteStorage
    private let file: RemotePath

    /// Reads `file` through `storage`. Opens nothing yet.
    public init(_ storage: any RemoteStorage, _ file: RemotePath) {
        self.storage = storage
        self.file = file
    }

    /// A local file.
    public init(_ path: FilePath) {
        // An unnamed file is not in a folder.
        if UnnamedFile.isPath(path) {
            storage = LocalStorage(root: path)
            file = .root
            return
        }
        storage = LocalStorage(root: path.parent)
        file = RemotePath(path.lastComponent.map { [RemoteName($0.bytes)] } ?? [])
    }

    /// The file, for errors.
    public var path: FilePath { file.filePath(under: storage.root) }

    /// Size, time and identity of the file now.
    public func status() throws(FileProblem) -> FileStatus { try storage.status(of: file) }

    /// Opens the file, to read several pieces of it.
    public func open() throws(FileProblem) -> any ReadableFile { try storage.open(file) }

    /// The bytes of a range.
    /// - Throws: `.changedWhileReading` if the file ends before: another program has made it shorter.
    public func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let bytes = try storage.read(file, range: range)
        guard bytes.count == range.count else { throw changed() }
        return bytes
    }

    /// The error for a file that another program changed while it was read.
    public func changed() -> FileProblem { Self.changed(path) }

    package static func changed(_ path: FilePath) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path, "the file changed while it was read",
            advice: "A client or a cloud service is writing it; try again")
    }
}
