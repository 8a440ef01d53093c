public import SystemCalls

/// The change sets of a folder that contains only change sets, counted without keeping their names.
///
/// The framework makes every such name, with capital letters. So no entry is a stray, a copy or a twin, and a report
/// needs no list of them. A remote with millions of sets needs no memory for them.
public struct CountedSets: Sendable {
    /// Number and bytes.
    public private(set) var totals = FileTotals()
    /// The earliest and the latest modification time; nil without sets.
    public private(set) var times: ClosedRange<FileTime>?
    /// The set with the latest modification time; if there are several, the first by name.
    private(set) var newest: (name: [UInt8], modified: FileTime) = ([], FileTime(seconds: 0))

    /// Counts without sets.
    public init() {}

    /// Counts an entry; false if it is not an ordinary change set, so that the folder must be listed.
    package mutating func add(_ name: UnsafeRawBufferPointer, _ status: FileStatus) -> Bool {
        guard status.kind == .file, status.size > 1, !status.blocks.isNone else { return false }
        let modified = status.modified
        let isFirst = totals.count == 0
        if isFirst || modified > newest.modified
            || (modified == newest.modified
                && newest.name.withUnsafeBytes { name.precedes($0) })
        {
            newest = (Array(name), modified)
        }
        totals.add(status.size)
        let range = times ?? modified...modified
        times = min(range.lowerBound, modified)...max(range.upperBound, modified)
        return true
    }

    /// Whether the framework makes change sets with this name, and no other such name differs from it only in letter
    /// case.
    package static func isOrdinary(_ name: UnsafeRawBufferPointer) -> Bool {
        let hasForm =
            name.count == form.count
            && zip(name, form).allSatisfy { byte, wanted in
                switch wanted {
                case UInt8(ascii: "0"): isDigit(byte)
                case UInt8(ascii: "F"): isDigit(byte) || isCapital(byte)
                default: byte == wanted
                }
            }
        if hasForm { return true }
        let suffix = RemoteLayout.changeSetSuffix.utf8
        guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return false }
        let identifier = UnsafeRawBufferPointer(rebasing: name.dropLast(suffix.count))
        return identifier.allSatisfy { isDigit($0) || isCapital($0) || [dot, comma, hyphen].contains($0) }
            && ChangeSetIdentifier.isOfFramework(identifier)
    }

    /// The form of nearly all names: `0` is a digit, `F` a hexadecimal one.
    private static let form = Array(
        "0000000000.000000-FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF\(RemoteLayout.changeSetSuffix)".utf8)
    private static let dot = UInt8(ascii: ".")
    private static let comma = UInt8(ascii: ",")
    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
}

extension RemotePath {
    /// Whether this is the folder of a client's change sets: `Documents/<document>/SyncChanges/<client>`.
    var isFolderOfSets: Bool {
        names.count == 4 && names[0] == RemoteLayout.documents && names[2] == RemoteLayout.syncChanges
    }
}
