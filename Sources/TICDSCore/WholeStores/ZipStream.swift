import CArchive
public import SystemCalls
import SystemPackage

/// One reading of a zip from its first entry to its last. Every result of libarchive except success is an error here,
/// since it only warns of a wrong checksum.
package struct ZipStream: ~Copyable {
    private let archive: OpaquePointer
    package let input: ArchiveInput
    /// The number of entries so far.
    package private(set) var count = 0
    /// The name of the entry, with composed accents; nil if it is not in the character set that it claims.
    package private(set) var name: String?

    private init(archive: OpaquePointer, input: ArchiveInput) {
        self.archive = archive
        self.input = input
    }

    /// Begins to read a zip, which must be a file.
    package static func open(_ input: ArchiveInput) throws(FileProblem) -> ZipStream {
        guard let archive = ArchiveLocale.run({ archive_read_new() }) else {
            throw .noMemory(path: input.path)
        }
        let stream = ZipStream(archive: archive, input: input)
        let answer = ArchiveLocale.run {
            archive_read_support_format_zip(archive)
            return input.attach(to: archive, seeking: true)
        }
        guard answer == ARCHIVE_OK else { throw .damagedArchive(archive, input) }
        return stream
    }

    deinit {
        let archive = archive
        _ = ArchiveLocale.run { archive_read_free(archive) }
    }

    /// Moves to the next entry; returns nil after the last one.
    package mutating func next() throws(FileProblem) -> ZipMember? {
        var entry: OpaquePointer?
        let archive = archive
        let answer = ArchiveLocale.run { archive_read_next_header(archive, &entry) }
        if answer == ARCHIVE_EOF, input.problem == nil { return nil }
        // A warning concerns a name that is not in the character set that it claims; names are only shown.
        guard answer == ARCHIVE_OK || answer == ARCHIVE_WARN, input.problem == nil, let entry else {
            throw .damagedArchive(archive, input)
        }
        name = ArchiveLocale.run { archive_entry_pathname(entry).map { String(cString: $0) } }
        defer { count += 1 }
        return ArchiveLocale.run { Self.member(entry, count, name) }
    }

    /// Passes the content of the entry on, in pieces, until `body` returns false. If it reaches the end, checksum and
    /// size were right.
    package func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Bool) throws(FileProblem) {
        var count: Int64 = 0
        // ends: with the entry
        while true {
            var bytes: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            let archive = archive
            let answer = ArchiveLocale.run { archive_read_data_block(archive, &bytes, &size, &offset) }
            if answer == ARCHIVE_EOF, input.problem == nil { return }
            guard answer == ARCHIVE_OK, input.problem == nil, offset == count else {
                throw .damagedArchive(archive, input)
            }
            count += Int64(size)
            guard try body(UnsafeRawBufferPointer(start: bytes, count: size)) else { return }
        }
    }

    private static func member(_ entry: OpaquePointer, _ index: Int, _ name: String?) -> ZipMember {
        let kind: FileKind =
            switch archive_entry_filetype(entry) & 0o170000 {
            case 0o100000: .file
            case 0o040000: .folder
            case 0o120000: .symbolicLink
            default: .special
            }
        return ZipMember(
            index: index, name: name.map { Array($0.utf8) } ?? [],
            kind: archive_entry_hardlink(entry) == nil ? kind : .special,
            size: archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
            modified: FileTime(
                seconds: Int64(archive_entry_mtime(entry)),
                nanoseconds: Int32(clamping: archive_entry_mtime_nsec(entry))),
            isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }
}

/// One entry of a zip, by the directory of the zip, which may lie.
public struct ZipMember: Sendable, Hashable {
    /// Position among the entries, from 0.
    public var index: Int
    /// The name as bytes, never used as a path. Accents of names flagged as UTF-8 come composed.
    public var name: [UInt8]
    /// File, folder, link or something else.
    public var kind: FileKind
    /// The decompressed size in bytes according to the zip; nil if it is not given.
    public var size: Int64?
    /// Modification time, in whole seconds; the framework writes none, which is read as late in 1979.
    public var modified: FileTime
    /// True if the zip's own encryption was used, which the framework never uses.
    public var isEncrypted: Bool
}
