import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads zip archives, with the names in their central directory.
final class ZipReader: MemberReader {
    private var stream: ZipStream
    /// The private copy of a zip that came through a pipe; it is removed with the reader.
    private let file: UnnamedFile?
    /// Nil if the directory is missing or damaged.
    private let directory: ZipDirectory?

    let form = "zip"
    var bytesRead: Int64 { stream.input.count }

    /// - Parameter input: a file; `spooled` makes one from a pipe.
    init(_ input: ArchiveInput, file: UnnamedFile? = nil) throws(FileProblem) {
        self.file = file
        directory = ZipDirectory(input)
        stream = try ZipStream.open(input)
    }

    func salvage(isReadToEnd: Bool) -> ArchiveSalvage { .ofZip(hasDirectory: directory != nil) }

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
            throw FileProblem(error as? Errno ?? .ioError, path: input.path)
        }
        return try ZipReader(ArchiveInput(descriptor, path: input.path, isOwned: true), file: file)
    }

    func next() throws(FileProblem) -> ArchiveMember? {
        let path = stream.input.path
        guard let member = try stream.next() else {
            guard let names = directory?.names else {
                throw .damagedArchive(
                    path, expected: "the directory at the end of the zip", found: "none that is complete")
            }
            guard stream.count == names.count else {
                throw .damagedArchive(path, expected: "\(names.count) members", found: "\(stream.count)")
            }
            return nil
        }
        var name = member.name
        if let directory {
            guard member.index < directory.names.count else {
                throw .damagedArchive(path, expected: "\(directory.names.count) members", found: "more")
            }
            name = directory.names[member.index]
            // String comparison ignores how accents are composed.
            if let told = stream.name, let text = String(validating: name, as: UTF8.self), text != told {
                throw .damagedArchive(
                    path, expected: "the member \(escapedName(name)) of the directory of the zip",
                    found: escapedText(told))
            }
            guard directory.agrees(member.index, stream.input) else {
                throw .damagedArchive(
                    path, expected: "the name and time of \(escapedName(name)) in the directory of the zip",
                    found: "others before its content")
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
        case .symbolicLink: .symbolicLink
        case .special: .device
        }
    }

    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        try stream.content { (bytes) throws(FileProblem) in
            try body(bytes)
            return true
        }
    }
}

/// The names in a zip's central directory, byte for byte. libarchive, which reads the rest, composes accents.
struct ZipDirectory {
    /// The names in the order of their members in the file, which is the order of libarchive.
    let names: [[UInt8]]
    private let headers: [Header]

    /// The parts of an entry of the directory that the header before the content of its member has, too.
    private struct Header {
        let offset: UInt64
        let name: [UInt8]
        /// The compression and the local time.
        let form: [UInt8]
        /// The time in UTC of the extra field 0x5455; nil if there is none.
        let time: UInt64?
    }

    private static let largest = 1 << 30
    private static let endSize = 22
    private static let headerSize = 30

    /// Reads the directory; nil if it is missing or damaged.
    init?(_ file: ArchiveInput) {
        guard let end = Self.end(file), end.count <= 0xFFFF_FFFF, end.size <= Self.largest,
            let directory = file.bytes(at: end.offset, count: Int(end.size))
        else { return nil }
        var found: [(header: Header, name: [UInt8])] = []
        var position = 0
        while found.count < end.count {
            guard directory.number(at: position, width: 4) == 0x504B_0102,
                let offset = Self.little(directory, position + 42, 4),
                let nameSize = Self.little(directory, position + 28, 2),
                let extraSize = Self.little(directory, position + 30, 2),
                let commentSize = Self.little(directory, position + 32, 2),
                let name = directory.slice(position + 46..<position + 46 + Int(nameSize)),
                let extra = directory.slice(
                    position + 46 + Int(nameSize)..<position + 46 + Int(nameSize) + Int(extraSize))
            else { return nil }
            let needsMore = offset == 0xFFFF_FFFF
            let place = needsMore ? Self.largeOffset(directory, position, extra) : offset
            guard let place else { return nil }
            let isFAT = (Self.little(directory, position + 4, 2) ?? 0) >> 8 == 0
            let isUTF8 = (Self.little(directory, position + 8, 2) ?? 0) & 0x800 != 0
            let text = isUTF8 ? nil : Self.unicodeName(extra, of: name.array)
            let header = Header(
                offset: place, name: name.array,
                form: directory.slice(position + 10..<position + 16)?.array ?? [], time: Self.time(extra))
            found.append((header, Self.withSlashes(text ?? name.array, isFAT: isFAT)))
            position += 46 + Int(nameSize) + Int(extraSize) + Int(commentSize)
        }
        found.sort { $0.header.offset < $1.header.offset }
        names = found.map(\.name)
        headers = found.map(\.header)
    }

    /// Whether the header before the content of a member has the name and time of the directory. Nothing else shows
    /// that one of them is damaged.
    func agrees(_ index: Int, _ file: ArchiveInput) -> Bool {
        let header = headers[index]
        guard let start = file.bytes(at: header.offset, count: Self.headerSize),
            start.number(at: 0, width: 4) == 0x504B_0304, let nameSize = Self.little(start, 26, 2),
            let extraSize = Self.little(start, 28, 2),
            let rest = file.bytes(
                at: header.offset +| UInt64(Self.headerSize), count: Int(nameSize) + Int(extraSize)),
            let extra = rest.slice(Int(nameSize)..<rest.count)
        else { return false }
        guard start.slice(8..<14)?.array == header.form, rest.array(0..<Int(nameSize)) == header.name else {
            return false
        }
        guard let time = header.time, let repeated = Self.time(extra) else { return true }
        return time == repeated
    }

    /// The seconds since 1970 in the extra field 0x5455.
    private static func time(_ extra: SharedBytes) -> UInt64? {
        var place = 0
        while let kind = little(extra, place, 2), let size = little(extra, place + 2, 2) {
            if kind == 0x5455 {
                guard size >= 5, let flags = little(extra, place + 4, 1), flags & 1 != 0 else { return nil }
                return little(extra, place + 5, 4)
            }
            place += 4 + Int(size)
        }
        return nil
    }

    private static func end(_ file: ArchiveInput) -> (count: UInt64, size: UInt64, offset: UInt64)? {
        let tailSize = min(file.size, endSize + 0xFFFF)
        guard tailSize >= endSize,
            // bounded: a part of the size
            let tail = file.bytes(at: UInt64(file.size - tailSize), count: tailSize)
        else { return nil }
        for position in stride(from: tail.count - endSize, through: 0, by: -1)
        where tail.number(at: position, width: 4) == 0x504B_0506 {
            guard let count = little(tail, position + 10, 2), let size = little(tail, position + 12, 4),
                let offset = little(tail, position + 16, 4)
            else { return nil }
            guard count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else {
                return (count, size, offset)
            }
            guard position >= 20, tail.number(at: position - 20, width: 4) == 0x504B_0607,
                let place = little(tail, position - 12, 8), let large = file.bytes(at: place, count: 56),
                large.number(at: 0, width: 4) == 0x504B_0606, let count = little(large, 32, 8),
                let size = little(large, 40, 8), let offset = little(large, 48, 8)
            else { return (count, size, offset) }
            return (count, size, offset)
        }
        return nil
    }

    /// The name in UTF-8 of the extra field 0x7075, beside a name in the code page of the program that wrote it, such
    /// as CP437; nil if there is none, or if its checksum shows that it belongs to a name different from `name`.
    private static func unicodeName(_ extra: SharedBytes, of name: [UInt8]) -> [UInt8]? {
        var place = 0
        while let kind = little(extra, place, 2), let size = little(extra, place + 2, 2) {
            if kind == 0x7075 {
                guard size > 5, little(extra, place + 4, 1) == 1,
                    little(extra, place + 5, 4) == UInt64(checksum(name)),
                    let text = extra.slice(place + 9..<place + 4 + Int(size))?.array,
                    String(validating: text, as: UTF8.self) != nil
                else { return nil }
                return text
            }
            place += 4 + Int(size)
        }
        return nil
    }

    /// The name with slashes: some Windows programs separate folders by backslashes, and libarchive converts them in
    /// the same way.
    private static func withSlashes(_ name: [UInt8], isFAT: Bool) -> [UInt8] {
        let (slash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "\\"))
        guard isFAT, name.contains(backslash), !name.contains(slash) else { return name }
        return name.map { $0 == backslash ? slash : $0 }
    }

    /// The CRC-32 of a name, bit by bit, since few names have one.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)  // bounded: a byte
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }

    /// The offset of a member beyond 4 GiB, which the Zip64 extra field contains after the sizes that do not fit.
    private static func largeOffset(_ directory: SharedBytes, _ position: Int, _ extra: SharedBytes)
        -> UInt64?
    {
        var place = 0
        while let kind = little(extra, place, 2), let size = little(extra, place + 2, 2) {
            if kind == 1 {
                var skipped = 0
                if little(directory, position + 24, 4) == 0xFFFF_FFFF { skipped += 8 }
                if little(directory, position + 20, 4) == 0xFFFF_FFFF { skipped += 8 }
                return little(extra, place + 4 + skipped, 8)
            }
            place += 4 + Int(size)
        }
        return nil
    }

    private static func little(_ bytes: SharedBytes, _ offset: Int, _ width: Int) -> UInt64? {
        guard let slice = bytes.slice(offset..<offset + width) else { return nil }
        return slice.array.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
