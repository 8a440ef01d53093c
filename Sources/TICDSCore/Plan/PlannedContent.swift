public import SystemCalls
public import SystemPackage

/// Where the bytes of a file that is written come from.
public enum PlannedContent: Hashable, Sendable, Codable {
    /// Small files; they travel with the plan.
    case bytes(PlannedBytes)
    /// Byte for byte as another file of the remote, which must still be as it was seen.
    case copy(of: RemotePath, seen: EntryState)
    /// What an earlier operation moved to the trash; it stays there.
    case trashed(slot: TrashPlace, seen: EntryState)
    /// Another file of the remote, encrypted, decrypted or encrypted anew. Only the program that made the plan can
    /// carry it out, since the keys are not in it.
    case recoded(from: RemotePath, seen: EntryState)
    /// Byte for byte as a file of this machine outside of the remote, named by the bytes of its full path, which must
    /// still be as it was seen.
    case file(path: PlannedBytes, seen: EntryState)
    /// A file that was made aside earlier; it moves.
    case staged(StagedEntry)
}

/// Something outside of the remote that an operation takes in, as it was when it had been made. It is on disk already,
/// with its times and modes. Only the program that made it can carry the plan out, since it goes when that ends.
public struct StagedEntry: Hashable, Sendable, Codable {
    private var place: PlannedBytes
    /// What the entry was like when it had been made; the precondition of taking it in.
    public var seen: EntryState

    /// - Parameter path: absolute.
    public init(path: FilePath, seen: EntryState) {
        place = PlannedBytes(path.bytes)
        self.seen = seen
    }

    /// Where it lies; absolute.
    public var path: FilePath { FilePath(pathBytes: place.bytes) }
}

/// Turns the bytes of a file into those that take its place.
public protocol ContentRecoder: Sendable {
    /// Hands the new bytes of `file` to `sink` piece by piece, and throws unless they have been proved right.
    func recode(
        _ file: RemotePath, in storage: any RemoteStorage,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem)
}
