public import KeyedArchive
public import SystemCalls
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is read in ranges, wherever it lies, and that can say whether it has changed meanwhile.
public struct RangeReader: Sendable {
    /// What changes when somebody writes the file.
    public struct Status: Sendable, Hashable {
        /// Size in bytes.
        public var size: Int
        /// Modification time since 1970-01-01 00:00:00 UTC.
        public var seconds: Int
        public var nanoseconds: Int

        public init(size: Int, seconds: Int, nanoseconds: Int) {
            self.size = size
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    /// The file, for errors.
    public let path: FilePath
    private let statusNow: @Sendable () throws(FileProblem) -> Status
    private let readRange: @Sendable (Range<Int>) throws(FileProblem) -> SharedBytes

    /// - Parameters:
    ///   - status: the size and the time of the file now.
    ///   - read: the bytes of a range, fewer where the file ends.
    public init(
        path: FilePath, status: @escaping @Sendable () throws(FileProblem) -> Status,
        read: @escaping @Sendable (Range<Int>) throws(FileProblem) -> SharedBytes
    ) {
        self.path = path
        statusNow = status
        readRange = read
    }

    /// Reads an open file, which must stay open as long as the reader is used.
    public init(_ descriptor: FileDescriptor, path: FilePath) {
        self.init(
            path: path,
            status: { () throws(FileProblem) in
                do {
                    let stat = try descriptor.stat()
                    let time = stat.st_mtim
                    return Status(size: Int(stat.size), seconds: time.tv_sec, nanoseconds: time.tv_nsec)
                } catch {
                    throw Self.problem(error, call: "fstat", path: path)
                }
            },
            read: { (range) throws(FileProblem) in try Self.read(range, of: descriptor, path: path) })
    }

    /// The size and the time of the file now.
    public func status() throws(FileProblem) -> Status { try statusNow() }

    /// The bytes of a range; a file that ends before it was made shorter meanwhile.
    public func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let bytes = try readRange(range)
        guard bytes.count == range.count else { throw changed() }
        return bytes
    }

    /// The error for a file that somebody wrote while it was read.
    func changed() -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path, "the file changed while it was read",
            advice: "A client or a cloud service is writing it; try again")
    }

    private static func read(
        _ range: Range<Int>, of descriptor: FileDescriptor, path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
        let bytes = SharedBytes(adopting: UnsafeRawBufferPointer(memory)) { $0.deallocate() }
        var count = 0
        while count < range.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let got: Int
            do {
                got = try descriptor.read(fromAbsoluteOffset: Int64(range.lowerBound + count), into: rest)
            } catch {
                throw problem(error, call: "pread", path: path)
            }
            guard got > 0 else { break }
            count += got
        }
        return bytes.slice(0..<count) ?? bytes
    }

    private static func problem(_ error: any Error, call: String, path: FilePath) -> FileProblem {
        guard let errno = error as? Errno else {
            return FileProblem(.unreadable, path: path, "cannot be read", found: "\(call): \(error)")
        }
        return FileProblem(errno, call: call, path: path)
    }
}
