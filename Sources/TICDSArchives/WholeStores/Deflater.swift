import CArchive
import KeyedArchive
import SystemCalls
import SystemPackage

/// Compresses a file with libarchive.
enum Deflater {
    /// Writes `source` as gzip into the new private file `target`.
    static func gzip(_ source: FilePath, to target: FilePath) throws(FileProblem) {
        let result = ArchiveLocale.run { () -> Result<Void, FileProblem> in
            do throws(FileProblem) {
                return .success(try write(source, to: target))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private static func write(_ source: FilePath, to target: FilePath) throws(FileProblem) {
        guard let archive = archive_write_new() else {
            throw FileProblem(.limit, path: target, "cannot be compressed", found: "no memory")
        }
        defer { archive_write_free(archive) }
        func check(_ code: CInt) throws(FileProblem) {
            guard code == ARCHIVE_OK else { throw failed(archive, target) }
        }
        try check(archive_write_set_format_raw(archive))
        try check(archive_write_add_filter_gzip(archive))
        try check(archive_write_set_options(archive, "gzip:!timestamp"))
        try check(target.withPlatformString { archive_write_open_filename(archive, $0) })
        guard let entry = archive_entry_new() else {
            throw FileProblem(.limit, path: target, "cannot be compressed", found: "no memory")
        }
        defer { archive_entry_free(entry) }
        archive_entry_set_filetype(entry, UInt32(truncatingIfNeeded: regularFile))
        try check(archive_write_header(archive, entry))
        let file = try OpenFile.file(source)
        var offset = 0
        while true {
            let piece = try file.bytes(in: offset..<offset + (1 << 20))
            guard piece.count > 0 else { break }
            offset += piece.count
            let written = piece.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            guard written == la_ssize_t(piece.count) else { throw failed(archive, target) }
        }
        try check(archive_write_close(archive))
    }

    /// A regular file, as libarchive wants it: AE_IFREG.
    private static let regularFile = 0o100000

    private static func failed(_ archive: OpaquePointer, _ path: FilePath) -> FileProblem {
        let text = archive_error_string(archive).map { String(cString: $0) }
        return FileProblem(
            .writeFailed, path: path, "cannot be compressed", found: text,
            advice: "Set TMPDIR to a folder with enough room")
    }
}
