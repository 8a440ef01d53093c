import Base
import CFuse
import Glibc
import SystemCalls

/// A request of the kernel: a header, then what the operation needs.
struct FuseRequest {
    let header: fuse_in_header
    let body: UnsafeRawBufferPointer

    /// Reads the header; nil for bytes that the kernel does not send.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let size = MemoryLayout<fuse_in_header>.size
        guard bytes.count >= size else { return nil }
        header = bytes.loadUnaligned(as: fuse_in_header.self)
        body = UnsafeRawBufferPointer(rebasing: bytes[size...])
    }

    /// The structure with which the body begins.
    /// - Throws: EINVAL for a body that is too short.
    func input<Value: BitwiseCopyable>(_: Value.Type) throws(FuseError) -> Value {
        guard body.count >= MemoryLayout<Value>.size else { throw .invalid }
        return body.loadUnaligned(as: Value.self)
    }

    /// The name that is the body, up to its NUL byte; nil for a name that is not UTF-8, which no entry has.
    var name: String? { String(validating: body.prefix { $0 != 0 }, as: UTF8.self) }
}

/// A failure in the form for the kernel.
struct FuseError: Error {
    let number: CInt

    static let invalid = FuseError(number: EINVAL)
    static let absent = FuseError(number: ENOENT)
    static let unknown = FuseError(number: ENOSYS)
    static let readOnly = FuseError(number: EROFS)
    static let stale = FuseError(number: EBADF)
    /// The kernel then looks the name up once more, and opens what it gets.
    static let changed = FuseError(number: ESTALE)
}

/// The answer to one request.
struct FuseAnswer {
    private(set) var bytes: [UInt8]

    /// A message without a request, of a kind of fuse_notify_code.
    private init(notice: CInt) {
        bytes = []
        add(fuse_out_header(len: 0, error: notice, unique: 0))
    }

    /// An answer of success, to which the content is added.
    init(to header: fuse_in_header) {
        bytes = []
        add(fuse_out_header(len: 0, error: 0, unique: header.unique))
    }

    /// An answer of failure.
    init(_ error: FuseError, to header: fuse_in_header) {
        bytes = []
        add(fuse_out_header(len: 0, error: -error.number, unique: header.unique))
    }

    /// A message without a request: the content of a file of this number, which the kernel may keep.
    static func content(_ content: SharedBytes, of number: UInt64) -> [UInt8] {
        var message = FuseAnswer(notice: CInt(FUSE_NOTIFY_STORE.rawValue))
        message.bytes.reserveCapacity(content.count + 64)
        message.add(
            fuse_notify_store_out(
                nodeid: number, offset: 0, size: UInt32(clamping: content.count), padding: 0))
        content.withUnsafeBytes { message.add($0) }
        return message.finished()
    }

    /// A message by itself that asks the kernel to forget nodes that nobody uses (FUSE_NOTIFY_PRUNE).
    static func pruning(_ nodes: ArraySlice<UInt64>) -> [UInt8] {
        // Older headers lack this kind, and its fuse_notify_prune_out.
        var message = FuseAnswer(notice: 9)
        message.add(UInt32(clamping: nodes.count))
        message.add(UInt32(0))
        message.add(UInt64(0))
        for node in nodes { message.add(node) }
        return message.finished()
    }

    /// The number of bytes of content.
    var count: Int { bytes.count - MemoryLayout<fuse_out_header>.size }

    /// Adds a structure.
    mutating func add<Value: BitwiseCopyable>(_ value: Value) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    /// Adds bytes.
    mutating func add(_ more: UnsafeRawBufferPointer) { bytes += more }

    /// Adds zeros up to a multiple of eight bytes of content.
    mutating func align() {
        while count % 8 != 0 { bytes.append(0) }
    }

    /// The whole message, with its length in the header.
    func finished() -> [UInt8] {
        var message = bytes
        withUnsafeBytes(of: UInt32(clamping: bytes.count)) { length in
            for (position, byte) in length.enumerated() { message[position] = byte }
        }
        return message
    }
}

extension fuse_attr {
    /// The attributes of a file or folder of this number that only its owner may use.
    init(
        _ number: UInt64, isFolder: Bool, _ time: FileTime, _ size: Int64,
        _ owner: (user: UInt32, group: UInt32)
    ) {
        self.init()
        ino = number
        self.size = UInt64(clamping: size)
        blocks = UInt64(clamping: (size +| 511) / 512)
        let seconds = UInt64(bitPattern: time.seconds)
        (atime, mtime, ctime) = (seconds, seconds, seconds)
        let rest = UInt32(clamping: time.nanoseconds)
        (atimensec, mtimensec, ctimensec) = (rest, rest, rest)
        // Nothing can be written here, but copies can: a folder of mode 0500 cannot even be removed by its owner.
        mode = isFolder ? UInt32(S_IFDIR) | 0o700 : UInt32(S_IFREG) | 0o600
        // One link of a folder means that the number of its subfolders is unknown.
        nlink = 1
        (uid, gid) = owner
        blksize = 4096
    }
}

extension fuse_statfs_out {
    /// The statistics of a tree: no room, and the longest names.
    static var ofTree: fuse_statfs_out {
        var out = fuse_statfs_out()
        out.st.bsize = 4096
        out.st.frsize = 4096
        out.st.namelen = UInt32(clamping: VirtualNames.longest)
        return out
    }
}
