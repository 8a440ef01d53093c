import CArchive
import KeyedArchive
import SystemCalls
import SystemPackage

/// The open file that takes an archive, piece by piece, or from libarchive, which calls back with the bytes.
final class ArchiveSink {
    private let descriptor: FileDescriptor
    /// For errors.
    private let path: FilePath
    private var written: Int64 = 0
    private var started: Int64 = 0
    private var finished: Int64 = 0
    /// The error that a callback cannot throw.
    private(set) var problem: FileProblem?

    /// Bytes after which the disk is to begin with its work.
    private static let stretch: Int64 = 4 << 20
    /// Bytes behind which the disk may lie back.
    private static let window: Int64 = 32 << 20

    init(_ descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Tells libarchive whom to call. The sink must outlive the archive.
    func attach(to archive: OpaquePointer) -> CInt {
        archive_write_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, context, bytes, count in
                guard let context else { return la_ssize_t(ARCHIVE_FATAL) }
                let sink = Unmanaged<ArchiveSink>.fromOpaque(context).takeUnretainedValue()
                do throws(FileProblem) {
                    try sink.write(UnsafeRawBufferPointer(start: bytes, count: count))
                    return count
                } catch {
                    sink.problem = error
                    return la_ssize_t(ARCHIVE_FATAL)
                }
            }, nil)
    }

    func write(_ bytes: SharedBytes) throws(FileProblem) {
        try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try write(bytes) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        do {
            try descriptor.writeAll(bytes)
        } catch {
            throw .writing(error as? Errno ?? .ioError, call: "write", path: path)
        }
        written += Int64(bytes.count)
        // What is on its way to the disk while the rest is made need not be waited for in the end.
        if written - started >= Self.stretch {
            descriptor.startWriting(started..<written)
            started = written
            try finish(upTo: (started - Self.window) / Self.stretch * Self.stretch)
        }
    }

    /// Waits for the disk, and lets the system use the memory again for what follows. It would be waited for in the end
    /// anyway; and an archive that fills the memory of the machine takes it from others, and new memory takes more time to
    /// get than the disk takes to write.
    private func finish(upTo end: Int64) throws(FileProblem) {
        guard end > finished else { return }
        if let number = descriptor.finishWriting(finished..<end) {
            throw .writing(number, call: "sync_file_range", path: path)
        }
        finished = end
    }
}
