import SystemCalls
import SystemPackage
import TICDSCore

/// Reads zip archives, with the names in their central directory.
final class ZipReader: MemberReader {
    private var stream: ZipStream
    /// The private copy of a zip that came through a pipe; it is removed with the reader.
    private let file: UnnamedFile?
    /// The names; nil if the directory is missing or damaged.
    private let names: [[UInt8]]?

    let form = "zip"
    var bytesRead: Int64 { stream.input.count }

    /// - Parameter input: must be a file; `spooled` makes one.
    init(_ input: ArchiveInput, file: UnnamedFile? = nil) throws(FileProblem) {
        self.file = file
        names = ZipDirectory(input)?.names
        stream = try ZipStream.open(input)
    }

    /// Copies a zip from a pipe into a private file, since its directory is at the end.
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

    func next() throws(FileProblem) -> ArchiveMember? {
        let path = stream.input.path
        guard let member = try stream.next() else {
            guard let names else {
                throw .damagedArchive(
                    path, expected: "the directory at the end of the zip", found: "none that is complete")
            }
            guard stream.count == names.count else {
                throw .damagedArchive(path, expected: "\(names.count) members", found: "\(stream.count)")
            }
            return nil
        }
        var name = member.name
        if let names {
            guard member.index < names.count else {
                throw .damagedArchive(path, expected: "\(names.count) members", found: "more")
            }
            name = names[member.index]
            // String comparison ignores how accents are composed.
            if let told = stream.name, let text = String(validating: name, as: UTF8.self), text != told {
                throw .damagedArchive(
                    path, expected: "the member \(escapedName(name)) of the directory of the zip",
                    found: escapedText(told))
            }
        }
        return ArchiveMember(
            name: name, kind: Self.kind(member), size: member.size, modified: member.modified)
    }

    private static func kind(_ member: ZipMember) -> ArchiveMember.Kind {
        if member.isEncrypted { return .other("a member with its own zip password") }
        return switch member.kind {
        case .file: .file
        case .folder: .folder
        case .symbolicLink: .other("a symbolic link")
        case .special: .other("a device")
        }
    }

    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        try stream.content { (bytes) throws(FileProblem) in
            try body(bytes)
            return true
        }
    }
}
