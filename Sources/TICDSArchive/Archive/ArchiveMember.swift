import KeyedArchive
import SystemCalls

/// One member of an archive as its header describes it. Nothing of this is to be believed.
struct ArchiveMember {
    enum Kind: Equatable {
        case file
        case folder
        /// A link, a device, or something else that no remote has; the text says what.
        case other(String)
    }

    /// As it stands in the archive.
    var name: [UInt8]
    var kind: Kind
    /// Bytes; nil where only reading it tells.
    var size: Int64?
    var modified: FileTime
}

/// Goes through an archive once, from its beginning to its end.
protocol MemberReader: AnyObject {
    /// The next member; nil after the last one, once everything behind it has been checked, too.
    func next() throws(FileProblem) -> ArchiveMember?

    /// Hands on the bytes of the member that was just returned. What is not read is skipped.
    /// - Throws: `.damaged` where its bytes are not as the archive itself says; `next` may then find the member behind.
    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem)

    /// The same, in pieces that may be kept.
    func sharedContent(_ body: (SharedBytes) throws(FileProblem) -> Void) throws(FileProblem)

    /// Bytes of the archive read so far.
    var bytesRead: Int64 { get }

    /// What kind of archive it is, for people: "tar", "zip".
    var form: String { get }
}

extension MemberReader {
    func sharedContent(_ body: (SharedBytes) throws(FileProblem) -> Void) throws(FileProblem) {
        try content { (piece) throws(FileProblem) in try body(SharedBytes(Array(piece))) }
    }
}
