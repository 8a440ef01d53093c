/// A complete binary property list whose bytes are made in pieces while they are written.
package struct PropertyListOutput {
    private let table: PropertyListTable
    private let order: PropertyListTable.Order
    private let referenceWidth: Int
    /// The place of the table of offsets.
    private let offsetTable: Int
    private let offsetWidth: Int
    /// The number of bytes.
    package let count: Int

    init(_ table: PropertyListTable, top: PropertyListTable.Reference) {
        self.table = table
        order = PropertyListTable.Order(of: table, from: top)
        let width = byteWidth(UInt64(max(order.references.count - 1, 0)))
        referenceWidth = width
        offsetTable = order.references.reduce(Self.head.utf8CodeUnitCount) {
            $0 + table.size(of: $1, referenceWidth: width)
        }
        offsetWidth = byteWidth(UInt64(offsetTable))
        count = offsetTable + order.references.count * offsetWidth + 32
    }

    private static let head: StaticString = "bplist00"

    /// Passes all bytes to `sink`, in pieces.
    package func write<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var file = ByteBlock()
        Self.head.withUTF8Buffer { file.bytes += $0 }
        for reference in order.references {
            try table.write(reference, order, referenceWidth: referenceWidth, to: &file, sink)
        }
        var offset = Self.head.utf8CodeUnitCount
        for reference in order.references {
            file.bytes.appendBigEndian(UInt64(offset), width: offsetWidth)
            try file.pass(to: sink)
            offset += table.size(of: reference, referenceWidth: referenceWidth)
        }
        file.bytes += [0, 0, 0, 0, 0, 0, UInt8(clamping: offsetWidth), UInt8(clamping: referenceWidth)]
        for number in [order.references.count, 0, offsetTable] {
            file.bytes.appendBigEndian(UInt64(number), width: 8)
        }
        try file.flush(to: sink)
    }

    /// All bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        write { bytes += $0 }
        return bytes
    }
}
