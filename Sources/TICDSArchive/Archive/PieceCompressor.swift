import CArchive
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Compresses each piece of an archive separately. Streams of zstd, xz and gzip may be concatenated, so that the bytes of
/// an archive do not depend on the number of threads.
struct PieceCompressor: Sendable {
    let form: ArchiveForm
    let level: Int
    /// The archive, for errors.
    let path: FilePath

    /// The most bytes of a piece; see `ArchiveForm`.
    var pieceSize: Int { form.pieceSize(level: level) }

    /// A complete stream with the bytes of `piece`.
    func compress(_ piece: SharedBytes) throws(FileProblem) -> SharedBytes {
        try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try compress(bytes) }
    }

    func compress(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> SharedBytes {
        try ArchiveLocale.run { () throws(FileProblem) in try compressHere(bytes) }
    }

    private func compressHere(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> SharedBytes {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            throw FileProblem(.limit, path: path, "no memory for writing an archive")
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

    /// Bytes that libarchive hands over at a time.
    private static let blockSize: CInt = 1 << 20
    /// AE_IFREG, which Swift does not import.
    private static let plainFile: UInt32 = 0o100000

    private func failure(_ archive: OpaquePointer) -> FileProblem {
        FileProblem(
            .writeFailed, path: path, "cannot be compressed",
            found: archive_error_string(archive).map { String(cString: $0) })
    }
}

/// Collects the bytes that libarchive writes.
private final class PackedBytes {
    private var room: PrivateBytes?
    private var count = 0

    /// - Parameter path: for errors.
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

    /// Returns false if there is no room.
    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let memory = room?.memory, bytes.count <= memory.count - count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// All bytes; nil at a second call.
    func finish() -> SharedBytes? { room.take()?.shared(first: count) }
}
