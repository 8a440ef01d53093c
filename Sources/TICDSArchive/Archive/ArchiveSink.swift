import Base
import CArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes an archive to an open file, either in pieces or as the callback of libarchive.
final class ArchiveSink {
    private let descriptor: FileDescriptor
    /// The path, for errors.
    private let path: FilePath
    private var written: Int64 = 0
    private var started: Int64 = 0
    private var finished: Int64 = 0
    /// The error that a callback cannot throw.
    private(set) var problem: FileProblem?

    /// The number of bytes after which the system starts to write to the disk, with sync_file_range(2).
    private static let stretch: Int64 = 4 << 20
    private static let window: Int64 = 32 << 20

    init(_ descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Registers the callback with libarchive. The sink must outlive the archive.
    func attach(to archive: OpaquePointer) -> CInt {
        archive_write_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, context, bytes, count in
                guard let context else { return la_ssize_t(ARCHIVE_FATAL) }
                let sink = Unmanaged<ArchiveSink>.fromOpaque(context).takeUnretainedValue()
                do throws(FileProblem) {
                    try sink.write(UnsafeRawBufferPointer(start: bytes, count: count))
                    return count
                } catch {
                    sink.problem = error
                    return la_ssize_t(ARCHIVE_FATAL)
                }
            }, nil)
    }

    func write(_ bytes: SharedBytes) throws(FileProblem) {
        try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try write(bytes) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        do {
            try descriptor.writeAll(bytes)
        } catch {
            throw .writing(error as? Errno ?? .ioError, path: path)
        }
        written += Int64(bytes.count)
        // The disk writes while the rest is compressed, so that the final fsync(2) need not wait.
        if written - started >= Self.stretch {
            descriptor.startWriting(started..<written)
            started = written
            try finish(upTo: (started - Self.window) / Self.stretch * Self.stretch)
        }
    }

    /// Waits until the disk has written up to `end`, and releases the pages of the cache. Otherwise a large archive
    /// would fill the memory of the machine, and allocating new pages takes longer than writing to the disk.
    private func finish(upTo end: Int64) throws(FileProblem) {
        guard end > finished else { return }
        if let number = descriptor.finishWriting(finished..<end) {
            throw .writing(number, path: path)
        }
        finished = end
    }
}

/// Compresses each piece by itself. Such streams may be concatenated, so the bytes do not depend on the number of
/// threads.
struct PieceCompressor: Sendable {
    let form: ArchiveForm
    let level: Int
    /// The archive, for errors.
    let path: FilePath

    var pieceSize: Int { form.pieceSize(level: level) }

    func compress(_ piece: SharedBytes) throws(FileProblem) -> SharedBytes {
        try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try compress(bytes) }
    }

    func compress(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> SharedBytes {
        return try ArchiveLocale.run { () throws(FileProblem) in try compressHere(bytes) }
    }

    private func compressHere(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> SharedBytes {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            throw .noMemory(path: path)
        }
        // Incompressible bytes grow by a few bytes for each block.
        let packed = try PackedBytes(capacity: bytes.count + bytes.count / 128 + (64 << 10), path: path)
        defer {
            archive_entry_free(entry)
            archive_write_free(archive)
        }
        func check(_ answer: CInt) throws(FileProblem) {
            guard answer == ARCHIVE_OK else { throw failure(archive) }
        }
        try check(archive_write_set_format_raw(archive))
        try choose(archive, check)
        // The last block may be short. Large blocks save the compressor most of its copies.
        try check(archive_write_set_bytes_per_block(archive, Self.blockSize))
        try check(archive_write_set_bytes_in_last_block(archive, 1))
        try check(packed.open(archive))
        archive_entry_set_filetype(entry, Self.plainFile)
        try check(archive_write_header(archive, entry))
        guard archive_write_data(archive, bytes.baseAddress, bytes.count) == bytes.count else {
            throw failure(archive)
        }
        try check(archive_write_close(archive))
        guard let shared = packed.finish() else { throw failure(archive) }
        return shared
    }

    private func choose(
        _ archive: OpaquePointer, _ check: (CInt) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        switch form {
        case .zstd: try check(archive_write_add_filter_zstd(archive))
        case .xz: try check(archive_write_add_filter_xz(archive))
        case .gzip:
            try check(archive_write_add_filter_gzip(archive))
            try check(archive_write_set_filter_option(archive, nil, "timestamp", nil))
        case .zip: break
        }
        try check(archive_write_set_filter_option(archive, nil, "compression-level", "\(level)"))
    }

    /// The number of bytes that libarchive passes on at a time.
    private static let blockSize: CInt = 1 << 20
    /// AE_IFREG, which Swift does not import.
    private static let plainFile: UInt32 = 0o100000

    private func failure(_ archive: OpaquePointer) -> FileProblem {
        .noMemory(archive, path: path)
            ?? FileProblem(
                .writeFailed, path: path, "cannot be compressed",
                found: archive_error_string(archive).map { String(cString: $0) })
    }
}

/// Collects the bytes that libarchive writes.
private final class PackedBytes {
    private var room: PrivateBytes?
    private var count = 0

    init(capacity: Int, path: FilePath) throws(FileProblem) {
        room = try PrivateBytes(count: capacity, path: path)
    }

    func open(_ archive: OpaquePointer) -> CInt {
        archive_write_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, context, bytes, count in
                guard let context else { return la_ssize_t(ARCHIVE_FATAL) }
                let packed = Unmanaged<PackedBytes>.fromOpaque(context).takeUnretainedValue()
                let isThere = packed.append(UnsafeRawBufferPointer(start: bytes, count: count))
                return isThere ? count : la_ssize_t(ARCHIVE_FATAL)
            }, nil)
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let memory = room?.memory, bytes.count <= memory.count - count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// All bytes; nil at the second call.
    func finish() -> SharedBytes? { room.take()?.shared(first: count) }
}
