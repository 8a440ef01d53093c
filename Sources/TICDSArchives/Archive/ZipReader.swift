import CArchive
import SystemCalls
import SystemPackage

/// Reads zip archives through libarchive, with the names of their own directory.
final class ZipReader: MemberReader {
    private let archive: OpaquePointer
    private let input: ArchiveInput
    /// Lives as long as the reader: a zip that came through a pipe.
    private let file: UnnamedFile?
    /// Nil where the directory is missing, as in a zip that is cut short.
    private let names: [[UInt8]]?
    private var index = 0

    let form = "zip"
    var bytesRead: Int64 { input.count }

    /// - Parameter input: must be a file; `spooled` makes one.
    init(_ input: ArchiveInput, file: UnnamedFile? = nil) throws(FileProblem) {
        guard let archive = ArchiveLocale.run({ archive_read_new() }) else {
            throw FileProblem(.limit, path: input.path, "no memory for reading an archive")
        }
        self.archive = archive
        self.input = input
        self.file = file
        names = ZipDirectory(input)?.names
        let answer = ArchiveLocale.run { () -> CInt in
            archive_read_support_format_zip(archive)
            return input.attach(to: archive, seeking: true)
        }
        guard answer == ARCHIVE_OK else { throw .damagedArchive(archive, input) }
    }

    /// A zip is read from its end, so that one from a pipe is put into a private file first.
    static func spooled(_ input: ArchiveInput) throws(FileProblem) -> ZipReader {
        let file = try UnnamedFile()
        try PrivateFile.write(file.path) { (output) throws(FileProblem) in
            try input.copy { (piece) throws(FileProblem) in try output.write(piece) }
        }
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(file.path, .readOnly, options: [.closeOnExec])
        } catch {
            throw FileProblem(error as? Errno ?? .ioError, call: "open", path: input.path)
        }
        return try ZipReader(ArchiveInput(descriptor, path: input.path, isOwned: true), file: file)
    }

    deinit {
        let archive = archive
        _ = ArchiveLocale.run { archive_read_free(archive) }
    }

    func next() throws(FileProblem) -> ArchiveMember? {
        var entry: OpaquePointer?
        let archive = archive
        let answer = ArchiveLocale.run { archive_read_next_header(archive, &entry) }
        if answer == ARCHIVE_EOF, input.problem == nil {
            guard let names else {
                throw .damagedArchive(
                    input.path, expected: "the directory at the end of the zip", found: "none that is whole")
            }
            guard index == names.count else {
                throw .damagedArchive(
                    input.path, expected: "\(names.count) members", found: "\(index)")
            }
            return nil
        }
        // A warning is about a name that is not in the character set it claims.
        guard answer == ARCHIVE_OK || answer == ARCHIVE_WARN, input.problem == nil, let entry else {
            throw .damagedArchive(archive, input)
        }
        defer { index += 1 }
        return try ArchiveLocale.run { () throws(FileProblem) in try member(entry) }
    }

    private func member(_ entry: OpaquePointer) throws(FileProblem) -> ArchiveMember {
        let told = archive_entry_pathname(entry).map { String(cString: $0) }
        var name = told.map { Array($0.utf8) } ?? []
        if let names {
            guard index < names.count else {
                throw .damagedArchive(input.path, expected: "\(names.count) members", found: "more")
            }
            name = names[index]
            // Strings are equal where they only differ in how accents are written.
            if let told, let text = String(validating: name, as: UTF8.self), text != told {
                throw .damagedArchive(
                    input.path, expected: "the member \(escapedName(name)) of the directory of the zip",
                    found: escapedText(told))
            }
        }
        return ArchiveMember(
            name: name, kind: Self.kind(entry),
            size: archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
            modified: FileTime(
                seconds: Int64(archive_entry_mtime(entry)),
                nanoseconds: Int32(clamping: archive_entry_mtime_nsec(entry))))
    }

    private static func kind(_ entry: OpaquePointer) -> ArchiveMember.Kind {
        if archive_entry_is_encrypted(entry) != 0 {
            return .other("a member with a password of the zip's own")
        }
        return switch archive_entry_filetype(entry) & 0o170000 {
        case 0o100000: .file
        case 0o040000: .folder
        case 0o120000: .other("a symbolic link")
        default: .other("a device")
        }
    }

    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        var count: Int64 = 0
        let archive = archive
        while true {
            var bytes: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            let answer = ArchiveLocale.run { archive_read_data_block(archive, &bytes, &size, &offset) }
            if answer == ARCHIVE_EOF, input.problem == nil { return }
            guard answer == ARCHIVE_OK, input.problem == nil, offset == count else {
                throw .damagedArchive(archive, input)
            }
            count += Int64(size)
            try body(UnsafeRawBufferPointer(start: bytes, count: size))
        }
    }
}
