import SystemCalls
import TICDSCore

/// Reads the files for an archive, and decrypts them for an unencrypted archive.
struct ExportSource: Sendable {
    let storage: any RemoteStorage
    /// Decrypts the files; nil to archive them unchanged.
    let keyring: RemoteKeyring?
    /// Files that may be encrypted; true for files that clients encrypt, false for files that must be tried.
    let protected: [RemotePath: Bool]

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

    /// Whether a file is decrypted for the archive. Throws if it is unencrypted although clients encrypt it.
    func isDecrypted(_ path: RemotePath) throws(FileProblem) -> Bool {
        guard let keyring, let isExpected = protected[path] else { return false }
        let head = try storage.head(path, count: PlainSignature.headSize)
        // In an unencrypted archive, a forged unencrypted file would look like a client's file.
        if isExpected { try keyring.check(head, size: 0, path: path.filePath(under: storage.root)) }
        guard keyring.needsDecryption(head) else { return false }
        if isExpected { return true }
        // The framework did not write a stray that the password does not open; archive it unchanged.
        return try unlessInvalid { () throws(FileProblem) in
            try keyring.decryptPrivately(RangeReader(storage, path)) { _ in }
        } != nil
    }

    /// Whether a file may need decryption; opens no file.
    func mayDecrypt(_ path: RemotePath) -> Bool { keyring != nil && protected[path] != nil }

    /// Reads a file unchanged into `memory`.
    /// - Parameter folder: the folder of the previous file, which stays open.
    /// - Returns: the status of the file; nil if its size differs from that of `memory`.
    /// - Throws: `.changedWhileReading` if a program wrote to the file at the same time.
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

    /// Calls `sink` with the bytes of a file, in order.
    /// - Returns: the status of the file, which was equal before and after.
    /// - Throws: `.changedWhileReading` if a program wrote to the file at the same time.
    func read(
        _ path: RemotePath, isDecrypted: Bool, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
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

/// Second readings of files, which must not have changed since the first.
extension ExportSource {
    /// Calls `sink` with the bytes of a file, in order.
    /// - Throws: `.changedWhileReading` if the file has changed or no longer exists.
    func readAgain(
        _ entry: BackupEntry, _ file: ReadFile,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let changed = changed(entry)
        var count: Int64 = 0
        let status = try reading(entry) { () throws(FileProblem) in
            try read(entry.path, isDecrypted: file.isDecrypted) { (piece) throws(FileProblem) in
                count += Int64(piece.count)
                guard count <= entry.size else { throw changed }
                try sink(piece)
            }
        }
        guard count == entry.size, status == file.status else { throw changed }
    }

    /// Reads entries of a manifest, at these positions, into a piece.
    func load(
        _ positions: ArraySlice<Int>, _ batch: ReadBatch, of manifest: ArchiveManifest,
        into piece: inout TarPiece
    ) throws(FileProblem) {
        var folder = LatestFolder()
        for position in positions {
            let entry = manifest.entries[position]
            piece.begin(entry.member(of: manifest.application))
            guard let file = batch.file(of: entry, at: position) else { continue }
            try piece.fill(Int(entry.size)) { (room) throws(FileProblem) in
                try readAgain(entry, file, in: &folder, into: room)
            }
        }
    }

    private func readAgain(
        _ entry: BackupEntry, _ file: ReadFile, in folder: inout LatestFolder,
        into room: UnsafeMutableRawBufferPointer
    ) throws(FileProblem) {
        if file.isDecrypted {
            var rest = room
            return try readAgain(entry, file) { piece in
                rest.copyMemory(from: piece)
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[piece.count...])
            }
        }
        let status = try reading(entry) { () throws(FileProblem) in
            try read(entry.path, in: &folder, to: room)
        }
        guard status == file.status else { throw changed(entry) }
    }

    /// Runs `body`; a file that no longer exists counts as changed.
    private func reading<Answer>(
        _ entry: BackupEntry, _ body: () throws(FileProblem) -> Answer
    ) throws(FileProblem) -> Answer {
        do throws(FileProblem) {
            return try body()
        } catch  where error.kind == .missing || error.kind == .changedWhileReading {
            throw changed(entry)
        }
    }

    private func changed(_ entry: BackupEntry) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: entry.path.filePath(under: storage.root),
            "the file changed while it was archived",
            advice: "A client or a cloud service is writing it; try again")
    }
}
