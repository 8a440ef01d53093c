public import Base

/// The surviving content of a truncated or damaged keyed archive. Reading a lost object is an error; every other object
/// is the same as in the intact archive.
public struct RecoveredArchive: Sendable {
    /// The origin of the offsets of the objects.
    public enum Origin: String, Sendable, CaseIterable {
        /// The offset table of the archive.
        case table
        /// The objects themselves, one after another.
        case objects
    }

    /// The reader of the archive. It has no object under a name if `$top` is lost.
    public let reader: KeyedArchiveReader
    /// The origin of the offsets of the objects.
    public let origin: Origin
    /// The size of a reference in bytes.
    public let referenceWidth: Int
    /// Whether no object is lost.
    public let isWhole: Bool
    /// The position at which the objects contradict each other, in bytes from the start of the file: one of the objects
    /// before it is also damaged. Nil if they end where the bytes end.
    public let contradiction: Int?
    /// The end of the found objects, in bytes from the start of the file.
    public let end: Int

    /// Opens the surviving content of an archive.
    ///
    /// The offset table counts only if the objects themselves do not show their positions, and if the archive was not
    /// truncated: its last bytes can look like a table.
    /// - Parameters:
    ///   - bytes: the archive from its first byte, as far as it exists.
    ///   - baseOffset: the offset of the archive in the file.
    ///   - isCutOff: whether the archive had more bytes.
    /// - Throws: an error if the list of objects is lost, or if several widths of references are possible.
    public init(_ bytes: SharedBytes, baseOffset: Int = 0, isCutOff: Bool) throws(PropertyListError) {
        var found: [(list: RebuiltPropertyList, reader: KeyedArchiveReader)] = []
        for width in RebuiltPropertyList.widths {
            guard let rebuilt = RebuiltPropertyList(bytes, referenceWidth: width),
                // try?: with a different width this is not an archive
                let list = try? rebuilt.list(baseOffset: baseOffset),
                let reader = try? KeyedArchiveReader(recovering: list)  // try?: as above
            else { continue }
            found.append((rebuilt, reader))
        }
        // With a wrong width, objects soon contradict each other.
        let sound = found.filter { $0.list.ending != .damaged }
        if !sound.isEmpty { found = sound }
        let isClear = found.first.map { $0.list.ending == .whole } ?? false
        // try?: here and below, then only the objects are used
        if !isCutOff, let table = try? BinaryPropertyList(bytes, baseOffset: baseOffset),
            !isClear || found.first?.list.count != table.objectCount,
            let reader = try? KeyedArchiveReader(recovering: table)  // try?: as above
        {
            self.reader = reader
            origin = .table
            referenceWidth = table.referenceWidth
            isWhole = true
            contradiction = nil
            end = baseOffset + table.offsetTable
            return
        }
        guard let only = found.first else {
            throw PropertyListError(
                offset: baseOffset, expected: "the list of the objects of a keyed archive",
                found: bytes.count < 40 ? "\(bytes.count) bytes" : "none in \(bytes.count) bytes")
        }
        guard found.count == 1 else {
            throw PropertyListError(
                offset: baseOffset, expected: "objects that show the width of references",
                found:
                    "several that fit: \(found.map { "\($0.list.referenceWidth)" }.joined(separator: ", "))"
            )
        }
        reader = only.reader
        origin = .objects
        referenceWidth = only.list.referenceWidth
        isWhole = only.list.ending == .whole
        contradiction = only.list.ending == .damaged ? baseOffset + only.list.end : nil
        end = baseOffset + only.list.end
    }
}

extension KeyedArchiveReader {
    /// The found objects with a UID, in the order of UIDs. An object with two UIDs comes once.
    public var everyObject: [ArchivedReference] {
        var all: [ArchivedReference] = []
        forEachObject { all.append($0) }
        return all
    }

    /// Calls `body` with the found objects with a UID, in the order of UIDs. An object with two UIDs comes once.
    package func forEachObject(_ body: (ArchivedReference) -> Void) {
        var seen = [UInt64](repeating: 0, count: list.objectCount / 64 + 1)
        for uid in 0..<objects.count {
            let reference = ArchivedReference(uid: uid)
            // try?: a lost object
            guard let index = try? index(of: reference), (try? list.offset(of: index)) != nil else {
                continue
            }
            let bit = UInt64(1) << UInt64(index % 64)
            if seen[index / 64] & bit != 0 { continue }
            seen[index / 64] |= bit
            body(reference)
        }
    }

    /// The fields of an object of at most 64 fields: their names, nil if a name is lost, and their values, nil if even
    /// the UID of the value is lost. Nil if the object is lost or is not a dictionary.
    public func fieldsLeft(
        of reference: ArchivedReference
    ) -> [(name: String?, value: ArchivedReference?)]? {
        // try?: here and below, counts as lost
        guard case .dictionary(let keys, let values)? = try? node(of: reference), keys.count <= 64 else {
            return nil
        }
        return (0..<keys.count).map { position in
            let name = (try? list.reference(keys, position)).flatMap { try? fieldName($0) }  // try?: lost
            return (name, try? self.reference(at: values, position))  // try?: counts as lost
        }
    }
}

extension KeyedArchiveDecoder {
    /// The members of a collection, with nil for members whose UID is lost. Throws if the collection is lost.
    public mutating func membersLeft(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> [ArchivedReference?] {
        guard let run = try reader.elementRun(of: reference) else { return try elements(of: reference) }
        return try left(run, of: reference)
    }

    /// The keys and values of a dictionary, with nil for those whose UID is lost. Throws if the dictionary is lost.
    public mutating func pairsLeft(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> [(key: ArchivedReference?, value: ArchivedReference?)] {
        guard let runs = try reader.pairRuns(of: reference) else { return [] }
        let keys = try left(runs.keys, of: reference)
        return zip(keys, try left(runs.values, of: reference))
            .filter { $0.1 == nil || $0.1 != runs.empty }.map { (key: $0, value: $1) }
    }

    private mutating func left(
        _ run: PropertyListReferences, of reference: ArchivedReference
    ) throws(PropertyListError) -> [ArchivedReference?] {
        try visit(run.count, reference)
        return (0..<run.count).map { try? reader.reference(at: run, $0) }  // try?: counts as lost
    }
}
