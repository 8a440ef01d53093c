import KeyedArchive
import SystemCalls
import TICDSCore

/// The bytes of the files that go into an archive, decrypted where that is wanted.
struct ExportSource: Sendable {
    let storage: any RemoteStorage
    /// Decrypts; nil where files go in as they are.
    let keyring: RemoteKeyring?
    /// Files that are encrypted in this remote; false for those of which only a trial tells.
    let protected: [RemotePath: Bool]

    /// Bytes taken at a time.
    private static let pieceSize = 256 << 10

    init(_ storage: any RemoteStorage, _ snapshot: RemoteSnapshot, decryptingWith keyring: RemoteKeyring?) {
        self.storage = storage
        self.keyring = keyring
        var protected: [RemotePath: Bool] = [:]
        if keyring != nil {
            for file in snapshot.protectedFiles() { protected[file.file.path] = file.isExpected }
        }
        self.protected = protected
    }

    /// How a file goes into the archive.
    func isDecrypted(_ path: RemotePath) throws(FileProblem) -> Bool {
        guard let keyring, let isExpected = protected[path] else { return false }
        let head = try storage.head(path, count: PlainSignature.headSize)
        // In a decrypted archive nobody could tell it any more from what the clients wrote.
        if isExpected { try keyring.check(head, size: 0, path: path.filePath(under: storage.root)) }
        guard keyring.needsDecryption(head) else { return false }
        if isExpected { return true }
        // A stray that the password does not open is none of the framework's, and goes in as it is.
        return try unlessUnfit { () throws(FileProblem) in
            try keyring.decryptPrivately(RangeReader(storage, path)) { _ in }
        } != nil
    }

    /// False for files that go in as they are in any case.
    func mayDecrypt(_ path: RemotePath) -> Bool { keyring != nil && protected[path] != nil }

    /// Fills `memory` with a file that goes in as it is.
    /// - Parameter folder: the folder of the file read before, which stays open.
    /// - Returns: its status; nil where it has another size than `memory`.
    /// - Throws: `.changedWhileReading` where somebody wrote it meanwhile.
    func read(
        _ path: RemotePath, in folder: inout LatestFolder, to memory: UnsafeMutableRawBufferPointer
    ) throws(FileProblem) -> FileStatus? {
        let file = try folder.open(path, in: storage)
        let before = try file.statusAtOpening()
        guard before.size == memory.count else { return nil }
        guard try file.read(into: memory, at: 0) == memory.count, try file.status() == before else {
            throw RangeReader.changed(file.path)
        }
        return before
    }

    /// Hands the bytes of a file to `sink`, in order.
    /// - Returns: the status of the file, the same before and after.
    /// - Throws: `.changedWhileReading` where somebody wrote it meanwhile.
    func read(
        _ path: RemotePath, isDecrypted: Bool,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> FileStatus {
        let file = try storage.open(path)
        let before = try file.statusAtOpening()
        try ReadLimit.anyFile.check(before.size, file.path)
        if isDecrypted, let keyring {
            try keyring.decryptPrivately(RangeReader(storage, path), to: sink)
        } else {
            try pump(file, Int(before.size), to: sink)
        }
        guard try file.status() == before else { throw RangeReader.changed(file.path) }
        return before
    }

    private func pump(
        _ file: any ReadableFile, _ size: Int, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let buffer = try PrivateBytes(count: min(size, Self.pieceSize), path: file.path)
        var offset = 0
        while offset < size {
            let wanted = min(size - offset, Self.pieceSize)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.memory[..<wanted])
            guard try file.read(into: piece, at: offset) == wanted else {
                throw RangeReader.changed(file.path)
            }
            try sink(UnsafeRawBufferPointer(piece))
            offset += wanted
        }
    }
}

/// The folder of the file that was opened last: the next file lies in the same one, most of the time.
struct LatestFolder {
    private var parent: RemotePath?
    private var folder: (any ReadableFolder)?

    mutating func open(
        _ file: RemotePath, in storage: any RemoteStorage
    ) throws(FileProblem) -> any ReadableFile {
        guard let name = file.last else { return try storage.open(file) }
        if parent?.names.elementsEqual(file.names.dropLast()) != true {
            parent = file.parent
            folder = storage.openFolder(file.parent)
        }
        if let found = folder?.open(name) { return found }
        return try storage.open(file)
    }
}
