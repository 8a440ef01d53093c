import CArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A zip that is being written to an open file. Names go into it as bytes; owners, modes and times of now do not.
final class ZipOutput {
    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private let sink: ArchiveSink
    /// For errors.
    private let path: FilePath

    /// What the 32 bits of a zip can hold, signed or not, for those who read it without the manifest, which has the whole
    /// time. libarchive crashes on years that the C library has no calendar for.
    private static let seconds = Int64(Int32.min)...Int64(UInt32.max)

    /// Begins a zip.
    /// - Parameter path: the file, for errors.
    init(level: Int, to sink: ArchiveSink, path: FilePath) throws(FileProblem) {
        guard let archive = ArchiveLocale.run({ archive_write_new() }),
            let entry = ArchiveLocale.run({ archive_entry_new() })
        else {
            throw FileProblem(.limit, path: path, "no memory for writing an archive")
        }
        self.archive = archive
        self.entry = entry
        self.path = path
        self.sink = sink
        try check(ArchiveLocale.run { archive_write_set_format_zip(archive) })
        try check(ArchiveLocale.run { archive_write_set_options(archive, "compression-level=\(level)") })
        // Nothing is padded to whole blocks: the bytes do not depend on what kind of file takes them.
        try check(ArchiveLocale.run { archive_write_set_bytes_per_block(archive, 0) })
        try check(ArchiveLocale.run { archive_write_set_bytes_in_last_block(archive, 1) })
        try check(ArchiveLocale.run { sink.attach(to: archive) })
    }

    deinit {
        let archive = archive
        let entry = entry
        ArchiveLocale.run {
            archive_entry_free(entry)
            // Freeing would write the end of the archive, and so make what is cut short look whole.
            archive_write_fail(archive)
            archive_write_free(archive)
        }
    }

    /// Begins a member; exactly as many bytes as it has have to follow.
    func begin(_ member: TarMember) throws(FileProblem) {
        let entry = entry
        let archive = archive
        let answer = ArchiveLocale.run {
            archive_entry_clear(entry)
            (member.name + [0]).withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    archive_entry_copy_pathname(entry, $0.baseAddress)
                }
            }
            archive_entry_set_filetype(entry, member.isFolder ? 0o040000 : 0o100000)
            archive_entry_set_perm(entry, member.isFolder ? 0o755 : 0o644)
            archive_entry_set_size(entry, member.size)
            let seconds = min(max(member.modified.seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
            archive_entry_set_mtime(entry, time_t(seconds), 0)
            return archive_write_header(archive, entry)
        }
        // A warning says that a name is not UTF-8, and goes in as it is.
        guard answer == ARCHIVE_OK || answer == ARCHIVE_WARN else { throw failure() }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        var rest = bytes
        let archive = archive
        while !rest.isEmpty {
            let piece = rest
            let count = ArchiveLocale.run {
                archive_write_data(archive, piece.baseAddress, piece.count)
            }
            guard count > 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
        }
    }

    /// Writes the end of the archive. Until then it is cut short.
    func finish() throws(FileProblem) {
        let archive = archive
        try check(ArchiveLocale.run { archive_write_close(archive) })
    }

    private func check(_ answer: CInt) throws(FileProblem) {
        guard answer == ARCHIVE_OK else { throw failure() }
    }

    private func failure() -> FileProblem {
        if let problem = sink.problem { return problem }
        let archive = archive
        let (number, text) = ArchiveLocale.run {
            (archive_errno(archive), archive_error_string(archive).map { String(cString: $0) })
        }
        if number > 0 { return .writing(Errno(rawValue: number), call: "write", path: path) }
        return FileProblem(.writeFailed, path: path, "cannot be written", found: text)
    }
}
