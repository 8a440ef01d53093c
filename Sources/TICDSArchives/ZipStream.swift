import CArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// One reading of a zip from its first entry to its last. Whatever libarchive does not call a success is an error
/// here: it only warns of a wrong check sum.
struct ZipStream: ~Copyable {
    private let archive: OpaquePointer
    private let source: ZipSource
    private var index = 0

    private init(archive: OpaquePointer, source: ZipSource) {
        self.archive = archive
        self.source = source
    }

    /// Begins to read a zip of `size` bytes.
    static func open(_ file: RangeReader, size: Int) throws(FileProblem) -> ZipStream {
        guard let archive = ArchiveLocale.run({ archive_read_new() }) else {
            throw FileProblem(.unreadable, path: file.path, "no memory for reading a zip")
        }
        let source = ZipSource(file, size: size)
        let stream = ZipStream(archive: archive, source: source)
        let answer = ArchiveLocale.run {
            archive_read_support_format_zip(archive)
            return source.attach(to: archive)
        }
        guard answer == ARCHIVE_OK else { throw stream.failure() }
        return stream
    }

    deinit {
        let archive = archive
        _ = ArchiveLocale.run { archive_read_free(archive) }
    }

    /// Goes to the next entry; nil after the last one.
    mutating func next() throws(FileProblem) -> ZipMember? {
        var entry: OpaquePointer?
        let archive = archive
        let answer = ArchiveLocale.run { archive_read_next_header(archive, &entry) }
        if answer == ARCHIVE_EOF, source.problem == nil { return nil }
        // A warning is about a name that is not in the character set it claims; names are only shown.
        guard answer == ARCHIVE_OK || answer == ARCHIVE_WARN, source.problem == nil, let entry else {
            throw failure()
        }
        defer { index += 1 }
        return ArchiveLocale.run { Self.member(entry, index) }
    }

    /// Hands the content of the entry on, in pieces, until `body` answers false. Returns true when the content came
    /// to its end and its check sum and size were right.
    func content(
        _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Bool
    ) throws(FileProblem) -> Bool {
        var count: Int64 = 0
        while true {
            var bytes: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            let archive = archive
            let answer = ArchiveLocale.run { archive_read_data_block(archive, &bytes, &size, &offset) }
            if answer == ARCHIVE_EOF, source.problem == nil { return true }
            guard answer == ARCHIVE_OK, source.problem == nil, offset == count else { throw failure() }
            count += Int64(size)
            guard try body(UnsafeRawBufferPointer(start: bytes, count: size)) else { return false }
        }
    }

    private static func member(_ entry: OpaquePointer, _ index: Int) -> ZipMember {
        let name = archive_entry_pathname(entry).map { Array(String(cString: $0).utf8) }
        let kind: FileKind =
            switch archive_entry_filetype(entry) & 0o170000 {
            case 0o100000: .file
            case 0o040000: .folder
            case 0o120000: .symbolicLink
            default: .special
            }
        return ZipMember(
            index: index, name: name ?? [], kind: archive_entry_hardlink(entry) == nil ? kind : .special,
            size: archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
            modified: FileTime(seconds: Int64(archive_entry_mtime(entry))),
            isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    private func failure() -> FileProblem {
        if let problem = source.problem { return problem }
        let archive = archive
        let text = ArchiveLocale.run { archive_error_string(archive).map { String(cString: $0) } }
        return FileProblem(
            .damaged, path: source.file.path, "the zip is damaged",
            found: text ?? "an entry that cannot be read",
            advice: "It may be cut short or still on its way; get it again from the client that wrote it")
    }
}
