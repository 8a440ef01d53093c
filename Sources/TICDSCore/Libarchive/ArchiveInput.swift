package import Base
import CArchive
import Glibc
import Synchronization
package import SystemCalls
package import SystemPackage

/// The bytes of an archive, which libarchive requests through callbacks: from a local file, from a pipe, from an open
/// file that several readers share, or from a whole store.
package final class ArchiveInput: @unchecked Sendable {
    private enum Origin {
        case descriptor(FileDescriptor, isOwned: Bool)
        case wholeStore(RangeReader, size: Int)
        case shared(any ReadableFile, size: Int)
    }

    package let path: FilePath
    package let isSeekable: Bool
    private let origin: Origin
    private let taken = Atomic<Int>(0)
    private var offset = 0
    /// The bytes that were read from a pipe to determine the kind of the archive.
    private var head: [UInt8] = []
    private let buffer: UnsafeMutableRawBufferPointer
    /// The error that a callback could not throw.
    package private(set) var problem: FileProblem?

    private static let pieceSize = 256 << 10

    /// - Parameter isOwned: whether the descriptor is closed at the end.
    package convenience init(_ descriptor: FileDescriptor, path: FilePath, isOwned: Bool) {
        let start = try? descriptor.seek(offset: 0, from: .current)  // try?: a pipe
        self.init(.descriptor(descriptor, isOwned: isOwned), path, start)
    }

    /// A file, or a pipe that a program writes to.
    /// - Throws: `.unsupported` for a pipe without such a program, since it might never come.
    package convenience init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions
    ) throws(FileProblem) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
        } catch Errno.noSuchAddressOrDevice {
            throw .notRegular(.special, path: path)
        } catch { throw FileProblem(error as? Errno ?? .ioError, path: path) }
        self.init(file, path: path, isOwned: true)
        if !isSeekable { try begin(file) }
    }

    /// Reads the first byte of a pipe, if there is one already. From then on, reading waits for more.
    private func begin(_ pipe: FileDescriptor) throws(FileProblem) {
        do {
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) { try pipe.read(into: $0) }
            guard count > 0 else {
                throw FileProblem(
                    .unsupported, path: path, "is a pipe to which no program writes",
                    expected: "an archive in a file, or from a program that is running",
                    advice: "Start that program first, or write: PROGRAM | ticds-archive list -")
            }
            head = [byte]
        } catch let problem as FileProblem {
            throw problem
        } catch Errno.resourceTemporarilyUnavailable {
            // A program is there, and has not written anything yet.
        } catch { throw FileProblem(error as? Errno ?? .ioError, path: path) }
        _ = fcntl(pipe.rawValue, F_SETFL, 0)
    }

    /// The zip of a whole store, of `size` bytes.
    package convenience init(_ file: RangeReader, size: Int) {
        self.init(.wholeStore(file, size: size), file.path, 0)
    }

    /// An archive of `size` bytes in an open file. Each input has its own position in the file.
    /// - Parameters:
    ///   - start: the offset from which on it is read.
    ///   - path: the archive, for errors.
    package convenience init(_ file: any ReadableFile, from start: Int = 0, size: Int, path: FilePath) {
        self.init(.shared(file, size: size), path, Int64(start))
    }

    private init(_ origin: Origin, _ path: FilePath, _ start: Int64?) {
        self.origin = origin
        self.path = path
        isSeekable = start != nil
        offset = Int(start ?? 0)
        buffer = .allocate(byteCount: Self.pieceSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        guard case .descriptor(let descriptor, isOwned: true) = origin else { return }
        try? descriptor.close()  // try?: nothing was written
    }

    package var isWholeStore: Bool {
        if case .wholeStore = origin { true } else { false }
    }

    /// The number of bytes read so far, for limits and progress.
    package var count: Int64 { Int64(taken.load(ordering: .relaxed)) }

    /// The first bytes, which are read again later.
    package func peek(_ count: Int) throws(FileProblem) -> [UInt8] {
        let start = offset
        while head.count < count {
            let piece = try readPiece(
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count - head.count)]))
            if piece == 0 { break }
            head += buffer[..<piece]
        }
        guard isSeekable else { return head }
        offset = start
        defer { head = [] }
        return head
    }

    private func readPiece(_ target: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
        let count = try read(into: target, at: offset)
        offset += count
        return count
    }

    private func read(
        into target: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileProblem) -> Int {
        switch origin {
        case .wholeStore(let file, let size):
            let piece = try file.read(offset..<min(offset + target.count, size))
            piece.withUnsafeBytes { target.copyMemory(from: $0) }
            return piece.count
        case .shared(let file, let size):
            let count = min(target.count, max(0, size - offset))
            return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<count]), at: offset)
        case .descriptor(let descriptor, _):
            do {
                return isSeekable
                    ? try descriptor.read(fromAbsoluteOffset: Int64(offset), into: target)
                    : try descriptor.read(into: target)
            } catch {
                throw FileProblem(error as? Errno ?? .ioError, path: path)
            }
        }
    }

    /// The size of a file in bytes; 0 for a pipe.
    package var size: Int {
        switch origin {
        case .wholeStore(_, let size), .shared(_, let size): size
        // try?: a pipe has no size
        case .descriptor(let descriptor, _): Int((try? descriptor.seek(offset: 0, from: .end)) ?? 0)
        }
    }

    /// The bytes of a file at an offset, whatever the present position; nil if the file ends before.
    package func bytes(at offset: UInt64, count: Int) -> SharedBytes? {
        guard let offset = Int(exactly: offset), count >= 0, offset <= size - count,
            // try?: reported when the archive is opened
            let bytes = try? PrivateBytes(count: count, path: path),
            // try?: as above
            let got = try? read(into: bytes.memory, at: offset), got == count
        else { return nil }
        return bytes.shared(0..<count)
    }

    /// Copies all remaining bytes to a file.
    package func copy(to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        // ends: with the input
        while true {
            let piece = try next()
            if piece.isEmpty { return }
            try sink(piece)
        }
    }

    /// The next bytes, which are valid until the next call; none at the end.
    package func next() throws(FileProblem) -> UnsafeRawBufferPointer {
        let count: Int
        if head.isEmpty {
            count = try readPiece(buffer)
        } else {
            buffer.copyBytes(from: head)
            count = head.count
            head = []
        }
        taken.add(count, ordering: .relaxed)
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Registers the callbacks with libarchive. The input must outlive the archive.
    package func attach(to archive: OpaquePointer, seeking: Bool) -> CInt {
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        archive_read_set_read_callback(archive) { _, context, buffer in
            ArchiveInput.of(context)?.read(buffer) ?? la_ssize_t(ARCHIVE_FATAL)
        }
        if seeking {
            archive_read_set_seek_callback(archive) { _, context, distance, whence in
                ArchiveInput.of(context)?.seek(distance, whence) ?? la_int64_t(ARCHIVE_FATAL)
            }
        }
        return archive_read_open1(archive)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ArchiveInput? {
        context.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ pointer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> la_ssize_t {
        do throws(FileProblem) {
            let piece = try next()
            pointer?.pointee = piece.baseAddress
            return piece.count
        } catch {
            problem = error
            return la_ssize_t(ARCHIVE_FATAL)
        }
    }

    private func seek(_ distance: la_int64_t, _ whence: CInt) -> la_int64_t {
        let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : size
        let (target, overflow) = start.addingReportingOverflow(Int(distance))
        guard !overflow, target >= 0 else { return la_int64_t(ARCHIVE_FATAL) }
        offset = min(target, size)
        return la_int64_t(offset)
    }
}

extension FileProblem {
    /// The error of libarchive about an archive that it cannot read further.
    package static func damagedArchive(_ archive: OpaquePointer, _ input: ArchiveInput) -> FileProblem {
        if let problem = input.problem ?? noMemory(archive, path: input.path) { return problem }
        let text = ArchiveLocale.run { archive_error_string(archive).map { String(cString: $0) } }
        guard input.isWholeStore else {
            return .damagedArchive(input.path, found: text ?? "bytes that cannot be read")
        }
        return FileProblem(
            .damaged, path: input.path, "the zip is damaged", found: text ?? "an entry that cannot be read",
            advice: "It may be truncated or still in transfer; fetch it again from the client that wrote it")
    }

    /// The error of libarchive if memory is what it lacks. zstd is the only one of its libraries that says so in words alone.
    package static func noMemory(_ archive: OpaquePointer, path: FilePath) -> FileProblem? {
        ArchiveLocale.run {
            let text = archive_error_string(archive).map { String(cString: $0) }
            guard archive_errno(archive) == ENOMEM || text?.hasSuffix("not enough memory") == true else {
                return nil
            }
            return .noMemory(path: path)
        }
    }

    package static func damagedArchive(_ path: FilePath, expected: String? = nil, found: String?)
        -> FileProblem
    {
        FileProblem(
            .damaged, path: path, "the archive is damaged or truncated", expected: expected, found: found,
            advice:
                "ticds-archive verify prints how many files are intact, and the command that takes them out; or get "
                + "another copy")
    }

    /// The error of an archive that looks like an attack.
    package static func hostile(_ path: FilePath, _ name: [UInt8], _ problem: String) -> FileProblem {
        FileProblem(
            .refused, path: path, "\(problem): \(escapedName(name))",
            advice: "Nothing was taken from the archive; find out where it comes from")
    }
}

/// libarchive converts names through the locale of the calling thread, and in the C locale, where a Swift program
/// starts, it fails or crashes on names beyond ASCII. Every call to it must be made in here.
package enum ArchiveLocale {
    /// Runs `body` with C.UTF-8 as the locale of this thread only.
    package static func run<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let utf8 else { return try body() }
        let before = uselocale(utf8)
        defer { _ = uselocale(before) }
        return try body()
    }

    /// Made once and never freed or changed.
    nonisolated(unsafe) private static let utf8: locale_t? =
        newlocale(characterTypeMask, "C.UTF-8", nil) ?? newlocale(characterTypeMask, "en_US.UTF-8", nil)

    private static let characterTypeMask = LC_CTYPE_MASK
}
