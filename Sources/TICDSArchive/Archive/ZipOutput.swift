import Base
import CArchive
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes a zip to an open file. Names are written byte for byte; owners, modes and the present time are not written.
final class ZipOutput {
    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private let sink: ArchiveSink
    /// The path, for errors.
    let path: FilePath

    /// The seconds since 1970 that the 32 bits of a zip can contain, signed or unsigned; the manifest has the exact time.
    /// libarchive crashes on years that the C library has no calendar for.
    private static let seconds = Int64(Int32.min)...Int64(UInt32.max)

    /// Begins a zip.
    init(level: Int, to sink: ArchiveSink, path: FilePath) throws(FileProblem) {
        guard let archive = ArchiveLocale.run({ archive_write_new() }),
            let entry = ArchiveLocale.run({ archive_entry_new() })
        else { throw .noMemory(path: path) }
        self.archive = archive
        self.entry = entry
        self.path = path
        self.sink = sink
        try check(ArchiveLocale.run { archive_write_set_format_zip(archive) })
        try check(ArchiveLocale.run { archive_write_set_options(archive, "compression-level=\(level)") })
        // No padding to whole blocks, so that the bytes do not depend on the kind of file.
        try check(ArchiveLocale.run { archive_write_set_bytes_per_block(archive, 0) })
        try check(ArchiveLocale.run { archive_write_set_bytes_in_last_block(archive, 1) })
        try check(ArchiveLocale.run { sink.attach(to: archive) })
    }

    deinit {
        let archive = archive
        let entry = entry
        ArchiveLocale.run {
            archive_entry_free(entry)
            // Otherwise archive_write_free would write the end of an incomplete archive.
            archive_write_fail(archive)
            archive_write_free(archive)
        }
    }

    /// Begins a member; exactly `member.size` bytes must follow.
    func begin(_ member: TarMember) throws(FileProblem) {
        let entry = entry
        let archive = archive
        let answer = ArchiveLocale.run {
            archive_entry_clear(entry)
            (member.name + [0]).withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { archive_entry_copy_pathname(entry, $0.baseAddress) }
            }
            archive_entry_set_filetype(entry, member.isFolder ? 0o040000 : 0o100000)
            archive_entry_set_perm(entry, member.isFolder ? 0o755 : 0o644)
            archive_entry_set_size(entry, member.size)
            let seconds = min(max(member.modified.seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
            archive_entry_set_mtime(entry, time_t(seconds), 0)
            return archive_write_header(archive, entry)
        }
        // A warning means that a name is not UTF-8; it is written unchanged.
        guard answer == ARCHIVE_OK || answer == ARCHIVE_WARN else { throw failure() }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        var rest = bytes
        let archive = archive
        while !rest.isEmpty {
            let piece = rest
            let count = ArchiveLocale.run { archive_write_data(archive, piece.baseAddress, piece.count) }
            guard count > 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
        }
    }

    func finish() throws(FileProblem) {
        let archive = archive
        try check(ArchiveLocale.run { archive_write_close(archive) })
    }

    private func check(_ answer: CInt) throws(FileProblem) {
        guard answer == ARCHIVE_OK else { throw failure() }
    }

    private func failure() -> FileProblem {
        if let problem = sink.problem ?? .noMemory(archive, path: path) { return problem }
        let archive = archive
        let (number, text) = ArchiveLocale.run {
            (archive_errno(archive), archive_error_string(archive).map { String(cString: $0) })
        }
        if number > 0 { return .writing(Errno(rawValue: number), path: path) }
        return FileProblem(.writeFailed, path: path, "cannot be written", found: text)
    }
}

/// Writes the members of a zip. Reads every file again, which takes much less time than deflating it.
struct ZipExport {
    let source: ExportSource
    let output: ZipOutput
    /// Takes the number of bytes of files that were written.
    let progress: (Int64) -> Void

    func write(_ manifest: ArchiveManifest, _ batches: [ReadBatch]) throws(FileProblem) {
        // The size and the digest come first, and the whole text would be larger than the manifest.
        let text = ManifestText(manifest)
        var size = 0
        var digest = try SHA256(for: output.path)
        for number in 0..<text.partCount {
            let part = text.part(number)
            size +|= part.count
            digest.update(part)
        }
        try output.begin(manifest.member(size: size +| ManifestSeal.count))
        for number in 0..<text.partCount { try text.part(number).span.withUnsafeBytes(output.write) }
        try ManifestSeal.bytes(digest.finalize()).span.withUnsafeBytes(output.write)
        for batch in batches {
            for position in batch.stored(in: manifest.entries) {
                let entry = manifest.entries[position]
                try output.begin(entry.member(of: manifest.application))
                guard let file = batch.file(of: entry, at: position) else { continue }
                try source.readAgain(entry, file) { (piece) throws(FileProblem) in
                    try output.write(piece)
                    progress(Int64(piece.count))
                }
            }
        }
        try output.finish()
    }
}

extension BackupEntry {
    func member(of application: RemoteName) -> TarMember {
        var name = application.bytes
        name.reserveCapacity(path.names.reduce(name.count + 1) { $0 + $1.bytes.count + 1 })
        for part in path.names {
            name.append(UInt8(ascii: "/"))
            name += part.bytes
        }
        if isFolder { name.append(UInt8(ascii: "/")) }
        return TarMember(name: name, isFolder: isFolder, size: size, modified: modified)
    }
}

extension ArchiveManifest {
    /// The member for the manifest. Its time is the latest of the entries, so that it does not depend on the present
    /// time.
    func member(size: Int) -> TarMember {
        TarMember(
            name: Array(Self.memberName.utf8), isFolder: false, size: Int64(size),
            modified: entries.indices.lazy.map { entries.modified(at: $0) }.max() ?? FileTime(seconds: 0))
    }
}
