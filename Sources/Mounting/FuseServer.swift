import Base
import CFuse
import Glibc
import Synchronization
public import SystemCalls

/// Answers the kernel's requests about a mounted tree (fuse(4), version 7). It speaks to the device itself: the messages
/// are an interface of the kernel that stays, whichever libfuse a system has.
public final class FuseServer: Sendable {
    private let nodes: Mutex<NodeTable>
    private let handles = Mutex(FuseHandles())
    private let giving = Mutex(())
    private let report: @Sendable (FileProblem) -> Void
    private let owner: (user: UInt32, group: UInt32)
    private let forgetsNothing = Atomic(false)

    /// The seconds for which the kernel may keep names and sizes.
    private static let validity: UInt64 = 1
    /// The largest number of bytes in a message of the kernel: it never writes.
    private static let messageSize = 136 << 10
    /// The largest number of bytes of a content that the kernel keeps.
    private static let mostGiven = 128 << 10
    /// The largest number of bytes that one request reads.
    private static let readSize = 1 << 20

    /// A server of this tree.
    /// - Parameters:
    ///   - report: gets the reason for each failure that the kernel reports as a mere input/output error.
    ///   - mostNodes: how many nodes the kernel may know before it is asked to forget some.
    public init(
        _ top: any VirtualFolder, mostNodes: Int = 16_384, report: @escaping @Sendable (FileProblem) -> Void
    ) {
        nodes = Mutex(NodeTable(top, most: mostNodes))
        self.report = report
        owner = (geteuid(), getegid())
    }

    /// Answers requests until the file system is unmounted. Several threads may do so at once.
    func serve(_ device: CInt) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.messageSize, alignment: 8)
        defer { buffer.deallocate() }
        // ends: when the file system is unmounted
        while true {
            let count = read(device, buffer.baseAddress, buffer.count)
            if count < 0 {
                // ends: with the next message, after a signal or a request that was taken back
                if [EINTR, EAGAIN, ENOENT].contains(errno) { continue }
                return
            }
            guard count > 0 else { return }
            var beside = Beside()
            let answer = answer(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &beside)
            guard let answer else { continue }
            if let content = beside.content { give(content, to: device) }
            // Whoever asked may have gone.
            _ = answer.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
            askToForget(device)
            if case .file(let file)? = beside.found { file.readAhead() }
        }
    }

    /// Asks the kernel to forget what nobody uses, so that a walk through a large tree does not fill the memory. Kernels
    /// before Linux 6.18 do not know the message: they forget when they need memory themselves.
    private func askToForget(_ device: CInt) {
        if forgetsNothing.load(ordering: .relaxed) { return }
        for message in messagesToForget {
            let count = message.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
            if count < 0, errno == EINVAL { forgetsNothing.store(true, ordering: .relaxed) }
            if count < 0 { return }
        }
    }

    /// The messages that ask the kernel to forget nodes; none as long as it knows few.
    public var messagesToForget: [[UInt8]] {
        let surplus = nodes.withLock { $0.surplus() }
        return stride(from: 0, to: surplus.count, by: 512).map { start in
            FuseAnswer.pruning(surplus[start..<min(start + 512, surplus.count)])
        }
    }

    /// Gives the kernel a content before it asks for it. It waits where another program reads the same file, so that one
    /// thread at most may do this while the others answer.
    private func give(_ content: [UInt8], to device: CInt) {
        giving.withLockIfAvailable { _ in
            // The kernel asks if it did not take it.
            _ = content.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
        }
    }

    /// Work of the server besides the answer.
    private struct Beside {
        /// The node that the kernel looked up.
        var found: VirtualNode?
        /// The message that gives the kernel the content of the file that it opens.
        var content: [UInt8]?
    }

    /// The answer to a message; nil for one that needs none.
    public func answer(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
        var beside = Beside()
        return answer(message, &beside)
    }

    private func answer(_ message: UnsafeRawBufferPointer, _ beside: inout Beside) -> [UInt8]? {
        guard let request = FuseRequest(message) else { return nil }
        do throws(FuseError) {
            var answer = FuseAnswer(to: request.header)
            switch fuse_opcode(request.header.opcode) {
            case FUSE_LOOKUP: beside.found = try lookUp(request, &answer)
            case FUSE_OPEN: beside.content = try openFile(request, &answer)
            default: if try !perform(request, &answer) { return nil }
            }
            return answer.finished()
        } catch {
            return FuseAnswer(error, to: request.header).finished()
        }
    }

    /// - Returns: whether the kernel waits for the answer.
    private func perform(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) -> Bool {
        switch fuse_opcode(request.header.opcode) {
        case FUSE_INIT: try initialize(request, &answer)
        case FUSE_GETATTR: try attributes(request, &answer)
        case FUSE_OPENDIR: try openFolder(request, &answer)
        case FUSE_READDIR: try readFolder(request, &answer, withNodes: false)
        case FUSE_READDIRPLUS: try readFolder(request, &answer, withNodes: true)
        case FUSE_READ: try readFile(request, &answer)
        case FUSE_RELEASE, FUSE_RELEASEDIR:
            let handle = try request.input(fuse_release_in.self).fh
            handles.withLock { $0.close(handle) }
        case FUSE_STATFS: answer.add(fuse_statfs_out.ofTree)
        case FUSE_DESTROY: break
        case FUSE_FORGET:
            let count = try request.input(fuse_forget_in.self).nlookup
            nodes.withLock { $0.forget(request.header.nodeid, times: count) }
            return false
        case FUSE_BATCH_FORGET:
            try forget(request)
            return false
        case FUSE_INTERRUPT: return false
        case FUSE_SETATTR, FUSE_MKNOD, FUSE_MKDIR, FUSE_UNLINK, FUSE_RMDIR, FUSE_RENAME, FUSE_RENAME2,
            FUSE_LINK, FUSE_SYMLINK, FUSE_WRITE, FUSE_CREATE, FUSE_SETXATTR, FUSE_REMOVEXATTR,
            FUSE_FALLOCATE, FUSE_COPY_FILE_RANGE:
            throw .readOnly
        default: throw .unknown
        }
        return true
    }

    private func initialize(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) {
        // Older kernels send less.
        guard request.body.count >= 16 else { throw .invalid }
        let major = request.body.loadUnaligned(as: UInt32.self)
        let flags = request.body.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        guard major >= 7 else { throw FuseError(number: EPROTO) }
        var out = fuse_init_out()
        out.major = 7
        out.minor = 31
        out.max_readahead = request.body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        let wanted: UInt32 =
            1 << 0  // FUSE_ASYNC_READ
            | 1 << 13  // FUSE_DO_READDIRPLUS
            | 1 << 14  // FUSE_READDIRPLUS_AUTO
            | 1 << 18  // FUSE_PARALLEL_DIROPS
            | 1 << 22  // FUSE_MAX_PAGES
        out.flags = flags & wanted
        out.max_background = 64
        out.congestion_threshold = 48
        out.max_write = 4096
        out.time_gran = 1
        out.max_pages = UInt16(clamping: Self.readSize / 4096)
        answer.add(out)
    }

    private func folder(_ number: UInt64) throws(FuseError) -> any VirtualFolder {
        try nodes.withLock { (nodes) throws(FuseError) in try nodes.folder(number) }
    }

    /// The present entry at the path of a node.
    private func node(_ number: UInt64) throws(FuseError) -> VirtualNode {
        let place = try nodes.withLock { (nodes) throws(FuseError) in try nodes.place(of: number) }
        guard let place else { return .folder(try folder(number)) }
        return try entry(of: place.folder, named: place.name)
    }

    private func entry(of folder: any VirtualFolder, named name: String) throws(FuseError) -> VirtualNode {
        let found = try answered(
            { () throws(FileProblem) in try folder.entry(named: name) }, isMissing: ENOENT)
        guard let found else { throw .absent }
        return found
    }

    /// The result of `body`, or the error for the kernel: only a folder that is gone is absent.
    private func answered<Value>(
        _ body: () throws(FileProblem) -> Value, isMissing: CInt = EIO
    ) throws(FuseError) -> Value {
        do throws(FileProblem) {
            return try body()
        } catch {
            if error.kind == .missing, isMissing == ENOENT { throw .absent }
            report(error)
            throw FuseError(number: [.encrypted, .wrongPassword].contains(error.kind) ? EACCES : EIO)
        }
    }

    private func lookUp(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) -> VirtualNode {
        let parent = request.header.nodeid
        let folder = try folder(parent)
        guard let name = request.name else { throw .absent }
        let found = try entry(of: folder, named: name)
        let size = try size(of: found)
        let numbers = nodes.withLock { $0.add(found, size: size, named: name, in: parent) }
        answer.add(entry(numbers, found, size))
        return found
    }

    private func size(of node: VirtualNode) throws(FuseError) -> Int64 {
        guard case .file(let file) = node else { return 0 }
        return try answered { () throws(FileProblem) in try file.size() }
    }

    private func attributes(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) {
        let number = request.header.nodeid
        let input = try request.input(fuse_getattr_in.self)
        let inode = nodes.withLock { $0.numbers(of: number).inode }
        var out = fuse_attr_out()
        out.attr_valid = Self.validity
        if input.getattr_flags & 1 != 0,
            case .file(let content, let modified)? = handles.withLock({ $0[input.fh] })
        {
            out.attr = attribute(inode, isFolder: false, modified, content.size)
        } else {
            let node = try node(number)
            // The size of a number stays: whoever has the file open reads its former content.
            let told = nodes.withLock { $0.size(of: number) }
            let size = if let told { told } else { try size(of: node) }
            out.attr = attribute(inode, node, size)
        }
        answer.add(out)
    }

    private func openFolder(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) {
        let folder = try folder(request.header.nodeid)
        _ = try request.input(fuse_open_in.self)
        let listing = try answered({ () throws(FileProblem) in try folder.listing() }, isMissing: ENOENT)
        var out = fuse_open_out()
        out.fh = try keep(.folder(listing))
        answer.add(out)
    }

    /// - Returns: a message that gives the kernel the content; nil if it has it, or is to ask for it.
    private func openFile(
        _ request: FuseRequest, _ answer: inout FuseAnswer
    ) throws(FuseError) -> [UInt8]? {
        let input = try request.input(fuse_open_in.self)
        guard CInt(bitPattern: input.flags) & O_ACCMODE == O_RDONLY else { throw .readOnly }
        let number = request.header.nodeid
        let node = try node(number)
        guard case .file(let file) = node else { throw .stale }
        let content = try answered { () throws(FileProblem) in try file.open() }
        let told = nodes.withLock { $0.size(of: number) }
        if let told, told != content.size, try size(of: node) != told { throw .changed }
        var given: [UInt8]?
        var out = fuse_open_out()
        if let bytes = content as? SharedBytes, bytes.count <= Self.mostGiven, bytes.size == told {
            var hasher = Hasher()
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            let digest = hasher.finalize()
            switch nodes.withLock({ $0.open(digest, of: number) }) {
            case .nothing: given = FuseAnswer.content(bytes, of: number)
            case .content: break
            case .another: throw .changed
            }
            // FOPEN_KEEP_CACHE
            out.open_flags = 1 << 1
        } else {
            // FOPEN_DIRECT_IO: the content of this opening counts, whatever size the kernel remembers.
            out.open_flags = 1 << 0
        }
        out.fh = try keep(.file(content, modified: file.modified))
        answer.add(out)
        return given
    }

    private func keep(_ handle: FuseHandles.Handle) throws(FuseError) -> UInt64 {
        guard let number = handles.withLock({ $0.keep(handle) }) else { throw FuseError(number: ENFILE) }
        return number
    }

    private func readFile(_ request: FuseRequest, _ answer: inout FuseAnswer) throws(FuseError) {
        let input = try request.input(fuse_read_in.self)
        guard case .file(let content, _)? = handles.withLock({ $0[input.fh] }) else { throw .stale }
        guard let start = Int(exactly: input.offset) else { throw .invalid }
        let count = min(Int(input.size), Self.readSize)
        let bytes = try answered { () throws(FileProblem) in try content.read(start..<(start +| count)) }
        bytes.withUnsafeBytes { answer.add($0) }
    }

    private func readFolder(
        _ request: FuseRequest, _ answer: inout FuseAnswer, withNodes: Bool
    ) throws(FuseError) {
        let input = try request.input(fuse_read_in.self)
        guard case .folder(let listing)? = handles.withLock({ $0[input.fh] }) else { throw .stale }
        guard var position = Int(exactly: input.offset) else { throw .invalid }
        let room = min(Int(input.size), Self.readSize)
        let parent = request.header.nodeid
        // The first two are the folder itself and the one around it.
        while position < listing.count + 2 {
            let name = position < 2 ? [".", ".."][position] : listing.name(at: position - 2)
            let fixed = 24 + (withNodes ? MemoryLayout<fuse_entry_out>.size : 0)
            guard answer.count + (fixed + name.utf8.count + 7) / 8 * 8 <= room else { return }
            if withNodes { answer.add(entry(at: position - 2, listing, name, in: parent)) }
            let isFolder = position < 2 || listing.isFolder(at: position - 2)
            // A fuse_dirent. Its number is unknown, as in libfuse: programs such as grep(1) would read in the order of the
            // numbers, and not in that of the names, in which the next content is made in advance.
            answer.add(UInt64(0xFFFF_FFFF))
            answer.add(UInt64(position + 1))
            answer.add(UInt32(clamping: name.utf8.count))
            answer.add(UInt32(clamping: isFolder ? DT_DIR : DT_REG))
            var text = name
            text.withUTF8 { answer.add(UnsafeRawBufferPointer($0)) }
            answer.align()
            position += 1
        }
        // A listing that is shorter than the truth does not end well.
        if answer.count == 0, let problem = listing.problem {
            _ = try answered { () throws(FileProblem) in throw problem }
        }
    }

    /// The node of an entry, as far as it is known without making a content.
    private func entry(
        at position: Int, _ listing: VirtualListing, _ name: String, in parent: UInt64
    ) -> fuse_entry_out {
        guard position >= 0 else { return fuse_entry_out() }
        let node = listing.node(at: position)
        var size: Int64 = 0
        if case .file(let file) = node {
            guard let known = file.knownSize else { return fuse_entry_out() }
            size = known
        }
        let numbers = nodes.withLock { $0.add(node, size: size, named: name, in: parent) }
        return entry(numbers, node, size)
    }

    private func forget(_ request: FuseRequest) throws(FuseError) {
        let count = Int(try request.input(fuse_batch_forget_in.self).count)
        let start = MemoryLayout<fuse_batch_forget_in>.size
        let size = MemoryLayout<fuse_forget_one>.size
        nodes.withLock { nodes in
            for position in 0..<min(count, (request.body.count - start) / size) {
                let one = request.body.loadUnaligned(
                    fromByteOffset: start + position * size, as: fuse_forget_one.self)
                nodes.forget(one.nodeid, times: one.nlookup)
            }
        }
    }

    private func entry(_ numbers: NodeTable.Numbers, _ node: VirtualNode, _ size: Int64) -> fuse_entry_out {
        var out = fuse_entry_out()
        out.nodeid = numbers.node
        out.entry_valid = Self.validity
        out.attr_valid = Self.validity
        out.attr = attribute(numbers.inode, node, size)
        return out
    }

    private func attribute(_ inode: UInt64, _ node: VirtualNode, _ size: Int64) -> fuse_attr {
        let isFolder = if case .folder = node { true } else { false }
        return attribute(inode, isFolder: isFolder, node.modified, size)
    }

    private func attribute(
        _ inode: UInt64, isFolder: Bool, _ time: FileTime, _ size: Int64
    ) -> fuse_attr {
        fuse_attr(inode, isFolder: isFolder, time, size, owner)
    }
}
