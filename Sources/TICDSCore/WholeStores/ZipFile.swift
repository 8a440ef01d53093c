import Base
public import SystemCalls
public import SystemPackage

/// A zip that contains a whole store, as the framework's Dropbox variant makes it: one deflated entry, with the name of
/// the app's store (ticds-remote-format(5), 1.6). Names in the zip never become paths.
public struct ZipFile: Sendable {
    /// The limits on the growth of a zip when it is extracted.
    public struct Limits: Sendable {
        /// Bytes of the extracted store.
        public var total: Int64
        /// The extracted bytes for each byte of the zip; only checked above `harmless` bytes.
        public var ratio: Int64
        /// Extracted bytes that are always accepted.
        public var harmless: Int64

        /// Limits of `total` bytes and, above `harmless` bytes, of `ratio` times the size of the zip.
        public init(total: Int64 = 64 << 30, ratio: Int64 = 200, harmless: Int64 = 256 << 20) {
            self.total = total
            self.ratio = ratio
            self.harmless = harmless
        }
    }

    let file: RangeReader
    private let status: FileStatus

    /// The largest number of entries that is accepted: the framework writes one.
    static let memberLimit = 10_000

    /// Reads only the status of the file; nothing of the zip is read yet.
    public init(_ file: RangeReader) throws(FileProblem) {
        self.file = file
        status = try file.status()
    }

    /// All entries in the order of the zip.
    public func members() throws(FileProblem) -> [ZipMember] {
        var stream = try ZipStream.open(ArchiveInput(file, size: Int(status.size)))
        var members: [ZipMember] = []
        while let member = try stream.next() {
            guard members.count < Self.memberLimit else {
                throw FileProblem(
                    .limit, path: file.path, "too many entries in the zip",
                    expected: "at most \(Self.memberLimit)")
            }
            members.append(member)
        }
        return members
    }

    /// The first bytes of an entry; fewer if it is shorter.
    func head(of member: ZipMember, count: Int) throws(FileProblem) -> [UInt8] {
        var head: [UInt8] = []
        try read(member) { (bytes) throws(FileProblem) in
            head += bytes.prefix(count - head.count)
            return head.count < count
        }
        return head
    }

    /// Writes the content of an entry into a new private file, and returns only if its size and checksum were right.
    /// After an error the new file stays, incomplete.
    public func extract(
        _ member: ZipMember, to target: FilePath, limits: Limits = Limits()
    ) throws(FileProblem) {
        let largest = largestSize(limits)
        var count: Int64 = 0
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            try read(member) { (bytes) throws(FileProblem) in
                count += Int64(bytes.count)
                guard count <= largest else { throw tooLarge(largest) }
                try output.write(bytes)
                return true
            }
        }
        if let size = member.size, size != count {
            throw FileProblem(
                .damaged, path: file.path, "the size of the entry is wrong", expected: "\(size) bytes",
                found: "\(count)")
        }
        guard try file.status() == status else { throw file.changed() }
    }

    private func largestSize(_ limits: Limits) -> Int64 {
        let (inProportion, overflow) = status.size.multipliedReportingOverflow(by: limits.ratio)
        return overflow ? limits.total : min(limits.total, max(limits.harmless, inProportion))
    }

    private func tooLarge(_ largest: Int64) -> FileProblem {
        FileProblem(
            .limit, path: file.path, "the zip grows too much when it is extracted",
            expected: "at most \(largest) bytes from \(status.size)", found: "more",
            advice: "It looks like a zip bomb, not like a store")
    }

    private func read(
        _ member: ZipMember, _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Bool
    ) throws(FileProblem) {
        guard !member.isEncrypted else {
            throw FileProblem(
                .unsupported, path: file.path, "the zip has its own password",
                advice: "The framework never writes such a zip; extract it with another tool")
        }
        var stream = try ZipStream.open(ArchiveInput(file, size: Int(status.size)))
        while let found = try stream.next() {
            guard found.index == member.index else { continue }
            return try stream.content(body)
        }
        throw file.changed()
    }

    /// The entry with the store: the only file, otherwise the only entry whose content begins like a store.
    func storeMember() throws(FileProblem) -> ZipMember {
        let members = try members()
        let files = members.filter { $0.kind == .file }
        guard let first = files.first else {
            throw FileProblem(
                .damaged, path: file.path, "the zip contains no file", expected: "one store",
                found: members.isEmpty ? "no entries" : "only folders and links",
                advice:
                    "The client could not open its store when it made the zip; use the store of another client"
            )
        }
        guard files.count > 1 else { return first }
        var stores: [ZipMember] = []
        for member in files where !member.isEncrypted {
            let head = SharedBytes(try head(of: member, count: PlainSignature.headSize))
            if WholeStoreKind(head: head, kind: .file, isEncrypted: false).isStore { stores.append(member) }
        }
        let names = files.map { Set($0.name.split(separator: UInt8(ascii: "/")).map { RemoteName($0) }) }
        if stores.count != 1, names.contains(where: { $0.contains(RemoteLayout.clientDevices) }) {
            throw FileProblem(
                .unsupported, path: file.path, "this is a zip of a remote", expected: "a zip of one store",
                advice: "Unpack it with ticds-archive import, then name the remote")
        }
        guard let store = stores.first else {
            throw FileProblem(
                .damaged, path: file.path, "the zip contains no store", expected: "one store",
                found: "\(files.count) files, and none begins like one")
        }
        guard stores.count == 1 else {
            throw FileProblem(
                .ambiguous, path: file.path, "the zip contains several stores", expected: "one",
                found: stores.map { escapedName($0.name) }.listed(),
                advice: "Unpack it with unzip, and name one of them")
        }
        return store
    }
}
