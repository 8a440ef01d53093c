import TICDSCore
import CArchive
import KeyedArchive
import SystemCalls

/// The bytes of a zip for libarchive, which calls back for them. Keeps the error that a callback cannot throw.
final class ZipSource {
    let file: RangeReader
    let size: Int
    private(set) var problem: FileProblem?
    private var offset = 0
    /// What libarchive was given last; it uses it until it asks again.
    private var piece = SharedBytes([])

    private static let pieceSize = 256 << 10

    init(_ file: RangeReader, size: Int) {
        self.file = file
        self.size = size
    }

    /// Tells libarchive where to ask. The source must outlive the archive.
    func attach(to archive: OpaquePointer) -> CInt {
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        archive_read_set_read_callback(archive) { archive, context, buffer in
            ZipSource.of(context)?.read(archive, buffer) ?? la_ssize_t(ARCHIVE_FATAL)
        }
        archive_read_set_seek_callback(archive) { _, context, distance, whence in
            ZipSource.of(context)?.seek(distance, whence) ?? la_int64_t(ARCHIVE_FATAL)
        }
        return archive_read_open1(archive)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ZipSource? {
        context.map { Unmanaged<ZipSource>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The next piece; no bytes at the end, a negative answer after an error.
    private func read(
        _ archive: OpaquePointer?, _ buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> la_ssize_t {
        do throws(FileProblem) {
            piece = try file.read(offset..<min(offset + Self.pieceSize, size))
        } catch {
            problem = error
            return la_ssize_t(ARCHIVE_FATAL)
        }
        offset += piece.count
        piece.withUnsafeBytes { buffer?.pointee = $0.baseAddress }
        return piece.count
    }

    private func seek(_ distance: la_int64_t, _ whence: CInt) -> la_int64_t {
        let start: Int
        switch whence {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = offset
        case SEEK_END: start = size
        default: return la_int64_t(ARCHIVE_FATAL)
        }
        let (target, overflow) = start.addingReportingOverflow(Int(distance))
        guard !overflow, target >= 0 else { return la_int64_t(ARCHIVE_FATAL) }
        offset = min(target, size)
        return la_int64_t(offset)
    }
}
