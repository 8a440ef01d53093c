/// Writes binary property lists that are not keyed archives.
public enum BinaryPropertyListWriter {
    /// The bytes of a list with `value` as top object. Throws for a value that a property list cannot contain.
    public static func bytes(of value: ArchivedValue) throws(PropertyListError) -> [UInt8] {
        var table = PropertyListTable()
        let top = try append(value, to: &table, depth: 0)
        return table.bytes(top: top)
    }

    static let depthLimit = 512

    private static func append(
        _ value: ArchivedValue, to table: inout PropertyListTable, depth: Int
    ) throws(PropertyListError) -> Int {
        guard depth <= depthLimit else {
            throw PropertyListError(offset: 0, expected: "at most \(depthLimit) levels", found: "more")
        }
        if let scalar = table.append(scalar: value) { return scalar }
        func members(_ values: [ArchivedValue], _ table: inout PropertyListTable) throws(PropertyListError)
            -> [Int]
        {
            var indices: [Int] = []
            for value in values { indices.append(try append(value, to: &table, depth: depth + 1)) }
            return indices
        }
        switch value {
        case .array(let values): return table.append(collection: 0xA0, try members(values, &table))
        case .orderedSet(let values): return table.append(collection: 0xB0, try members(values, &table))
        case .set(let values): return table.append(collection: 0xC0, try members(values, &table))
        case .dictionary(let pairs):
            let keys = try members(pairs.map(\.key), &table)
            return table.append(dictionaryKeys: keys, values: try members(pairs.map(\.value), &table))
        default:
            throw PropertyListError(offset: 0, expected: "a property-list value", found: "\(value)")
        }
    }
}
