import CArchive
import KeyedArchive
import SystemCalls
import SystemPackage

/// Writes an archive to an open file, either in pieces or as the callback of libarchive.
final class ArchiveSink {
    private let descriptor: FileDescriptor
    /// For errors.
    private let path: FilePath
    private var written: Int64 = 0
    private var started: Int64 = 0
    private var finished: Int64 = 0
    /// The error that a callback cannot throw.
    private(set) var problem: FileProblem?

    /// Bytes after which the system starts to write to the disk, with sync_file_range(2).
    private static let stretch: Int64 = 4 << 20
    /// How many bytes may wait to be written to the disk.
    private static let window: Int64 = 32 << 20

    init(_ descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Registers the callback with libarchive. The sink must outlive the archive.
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
        // The disk writes while the rest is compressed, so that the final fsync(2) need not wait.
        if written - started >= Self.stretch {
            descriptor.startWriting(started..<written)
            started = written
            try finish(upTo: (started - Self.window) / Self.stretch * Self.stretch)
        }
    }

    /// Waits until the disk has written up to `end`, and releases the pages of the cache. Otherwise a large archive would
    /// fill the memory of the machine, and getting new pages takes longer than writing to the disk.
    private func finish(upTo end: Int64) throws(FileProblem) {
        guard end > finished else { return }
        if let number = descriptor.finishWriting(finished..<end) {
            throw .writing(number, call: "sync_file_range", path: path)
        }
        finished = end
    }
}
