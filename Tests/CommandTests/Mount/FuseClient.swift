import Base
import CFuse
import Glibc
import Mounting

/// Sends messages to a server as the kernel does, and reads its answers.
struct FuseClient {
    let server: FuseServer

    enum Answer<Value: Equatable>: Equatable {
        case success(Value)
        case failure(CInt)

        var value: Value? { if case .success(let value) = self { value } else { nil } }
    }

    init(_ top: any VirtualFolder) { self.init(FuseServer(top) { _ in }) }

    init(_ server: FuseServer) { self.server = server }

    /// The answer to a message.
    func send(_ operation: fuse_opcode, _ node: UInt64 = 1, _ body: [UInt8] = []) -> Answer<[UInt8]> {
        let size = MemoryLayout<fuse_in_header>.size
        var header = fuse_in_header()
        header.len = UInt32(size + body.count)
        header.opcode = operation.rawValue
        header.unique = 77
        header.nodeid = node
        let message = withUnsafeBytes(of: header) { Array($0) } + body
        guard let answer = message.withUnsafeBytes({ server.answer($0) }), answer.count >= 16 else {
            return .failure(-1)
        }
        let out = answer.withUnsafeBytes { $0.loadUnaligned(as: fuse_out_header.self) }
        guard out.unique == 77, Int(out.len) == answer.count else { return .failure(-2) }
        return out.error == 0 ? .success(Array(answer.dropFirst(16))) : .failure(-out.error)
    }

    static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    private static func value<Value: BitwiseCopyable>(_ bytes: [UInt8], _: Value.Type) -> Value {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    /// The number of an entry.
    func lookUp(_ name: String, in folder: UInt64) -> Answer<UInt64> {
        switch send(FUSE_LOOKUP, folder, Array(name.utf8) + [0]) {
        case .success(let bytes): .success(Self.value(bytes, fuse_entry_out.self).nodeid)
        case .failure(let number): .failure(number)
        }
    }

    /// The size of a file by its number.
    func size(_ node: UInt64) -> UInt64? {
        send(FUSE_GETATTR, node, Self.bytes(fuse_getattr_in())).value.map {
            Self.value($0, fuse_attr_out.self).attr.size
        }
    }

    /// The inode number of a node, as programs see it.
    func inode(_ node: UInt64) -> UInt64? {
        send(FUSE_GETATTR, node, Self.bytes(fuse_getattr_in())).value.map {
            Self.value($0, fuse_attr_out.self).attr.ino
        }
    }

    /// Forgets a node that was looked up once.
    func forget(_ node: UInt64) {
        var input = fuse_forget_in()
        input.nlookup = 1
        _ = send(FUSE_FORGET, node, Self.bytes(input))
    }

    /// The handle of a file or folder.
    func open(_ node: UInt64, isFolder: Bool = false) -> Answer<UInt64> {
        let operation = isFolder ? FUSE_OPENDIR : FUSE_OPEN
        switch send(operation, node, Self.bytes(fuse_open_in())) {
        case .success(let bytes): return .success(Self.value(bytes, fuse_open_out.self).fh)
        case .failure(let number): return .failure(number)
        }
    }

    /// What the kernel may do with the content of a file that it opens.
    func openFlags(_ node: UInt64) -> Answer<UInt32> {
        switch send(FUSE_OPEN, node, Self.bytes(fuse_open_in())) {
        case .success(let bytes): .success(Self.value(bytes, fuse_open_out.self).open_flags)
        case .failure(let number): .failure(number)
        }
    }

    func read(
        _ node: UInt64, _ handle: UInt64, at offset: UInt64, size: UInt32,
        _ operation: fuse_opcode = FUSE_READ
    ) -> Answer<[UInt8]> {
        var input = fuse_read_in()
        input.fh = handle
        input.offset = offset
        input.size = size
        return send(operation, node, Self.bytes(input))
    }

    /// The names in a folder, in answers of at most `size` bytes.
    func names(_ node: UInt64, size: UInt32, withNodes: Bool = false) -> [String]? {
        guard let handle = open(node, isFolder: true).value else { return nil }
        var names: [String] = []
        var offset: UInt64 = 0
        while true {
            let operation = withNodes ? FUSE_READDIRPLUS : FUSE_READDIR
            guard let bytes = read(node, handle, at: offset, size: size, operation).value else { return nil }
            if bytes.isEmpty { return names }
            var rest = bytes[...]
            while !rest.isEmpty {
                if withNodes { rest = rest.dropFirst(MemoryLayout<fuse_entry_out>.size) }
                let head = Array(rest.prefix(24))
                offset = Self.value(Array(head[8..<16]), UInt64.self)
                let length = Int(Self.value(Array(head[16..<20]), UInt32.self))
                names.append(String(decoding: rest.dropFirst(24).prefix(length), as: UTF8.self))
                rest = rest.dropFirst((24 + length + 7) / 8 * 8)
            }
        }
    }
}
