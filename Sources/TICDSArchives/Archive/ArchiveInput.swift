import CArchive
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage

/// The bytes of an archive for libarchive, which calls back for them: of a file, or as they come out of a pipe.
final class ArchiveInput: @unchecked Sendable {
    let path: FilePath
    let isSeekable: Bool
    private let descriptor: FileDescriptor
    private let isOwned: Bool
    private let taken = Atomic<Int>(0)
    /// What was read to tell the kind of the archive.
    private var head: [UInt8] = []
    private let buffer: UnsafeMutableRawBufferPointer
    /// The error that a callback cannot throw.
    private(set) var problem: FileProblem?

    private static let pieceSize = 256 << 10

    /// - Parameter isOwned: whether the descriptor is closed at the end.
    init(_ descriptor: FileDescriptor, path: FilePath, isOwned: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.isOwned = isOwned
        isSeekable = (try? descriptor.seek(offset: 0, from: .current)) != nil  // try?: a pipe
        buffer = .allocate(byteCount: Self.pieceSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        if isOwned { try? descriptor.close() }  // try?: nothing was written
    }

    /// Bytes that were read so far, for limits and progress.
    var count: Int64 { Int64(taken.load(ordering: .relaxed)) }

    /// The first bytes, which are read again later.
    func peek(_ count: Int) throws(FileProblem) -> [UInt8] {
        while head.count < count {
            let piece = try readPiece(
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count - head.count)]))
            if piece == 0 { break }
            head += buffer[..<piece]
        }
        return head
    }

    private func readPiece(_ target: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
        do {
            return try descriptor.read(into: target)
        } catch {
            throw FileProblem(error as? Errno ?? .ioError, call: "read", path: path)
        }
    }

    /// Size of a file, in bytes.
    var size: Int64 {
        let place = try? descriptor.seek(offset: 0, from: .current)  // try?: a pipe has no size
        let size = try? descriptor.seek(offset: 0, from: .end)  // try?: the same
        _ = try? descriptor.seek(offset: place ?? 0, from: .start)  // try?: the same
        return size ?? 0
    }

    /// Bytes of a file, wherever it stands now; nil where it ends before.
    func bytes(at offset: UInt64, count: Int) -> SharedBytes? {
        guard let offset = Int64(exactly: offset), count >= 0, offset <= size - Int64(count),
            // try?: told where the archive is opened
            let bytes = try? PrivateBytes(count: count, path: path),
            // try?: the same
            let got = try? descriptor.read(fromAbsoluteOffset: offset, into: bytes.memory), got == count
        else { return nil }
        return bytes.shared(0..<count)
    }

    /// Copies all that is left to a file.
    func copy(to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        try head.withUnsafeBytesThrowing(sink)
        while true {
            let piece = try readPiece(buffer)
            if piece == 0 { return }
            taken.add(piece, ordering: .relaxed)
            try sink(UnsafeRawBufferPointer(rebasing: buffer[..<piece]))
        }
    }

    /// Tells libarchive where to ask. The input must outlive the archive.
    func attach(to archive: OpaquePointer, seeking: Bool) -> CInt {
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
        if !head.isEmpty {
            buffer.copyBytes(from: head)
            pointer?.pointee = UnsafeRawPointer(buffer.baseAddress)
            defer { head = [] }
            taken.add(head.count, ordering: .relaxed)
            return head.count
        }
        do throws(FileProblem) {
            let piece = try readPiece(buffer)
            taken.add(piece, ordering: .relaxed)
            pointer?.pointee = UnsafeRawPointer(buffer.baseAddress)
            return piece
        } catch {
            problem = error
            return la_ssize_t(ARCHIVE_FATAL)
        }
    }

    private func seek(_ distance: la_int64_t, _ whence: CInt) -> la_int64_t {
        head = []
        let origin: FileDescriptor.SeekOrigin =
            switch whence {
            case SEEK_SET: .start
            case SEEK_CUR: .current
            default: .end
            }
        // try?: libarchive makes the error
        guard let place = try? descriptor.seek(offset: distance, from: origin) else {
            return la_int64_t(ARCHIVE_FATAL)
        }
        return place
    }
}

extension Array where Element == UInt8 {
    /// `withUnsafeBytes` for bodies that throw problems.
    func withUnsafeBytesThrowing<Answer>(
        _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Answer
    ) throws(FileProblem) -> Answer {
        let result = withUnsafeBytes { bytes -> Result<Answer, FileProblem> in
            Result { () throws(FileProblem) in try body(bytes) }
        }
        return try result.get()
    }
}
