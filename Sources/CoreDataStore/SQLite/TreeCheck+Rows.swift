import Base
import SystemCalls

/// The rows of tables and the entries of indexes.
extension TreeCheck {
    /// How long a record is, and where it goes on.
    struct Payload {
        var size: Int
        /// The first of the further pages.
        var rest: Int?
    }

    /// Adds a row of a table, or an entry of an index, to the sums.
    /// - Parameters:
    ///   - place: the bytes of the record on this page.
    ///   - key: the key of a row.
    /// - Returns: what is wrong with it.
    func add(
        _ page: [UInt8], _ place: Range<Int>, _ payload: Payload, _ key: Int64, _ pass: inout Pass
    ) throws -> String? {
        pass.count += 1
        guard !pass.wanted.isEmpty else { return nil }
        let size = page.withUnsafeBufferPointer { RecordHead.size($0, at: place.lowerBound) }
        guard size <= payload.size else { return "the head of a row is damaged" }
        var head = page
        var headPlace = place.lowerBound..<place.lowerBound + size
        if size > place.count {
            head = try parts([0..<size], of: payload, page[place])
            headPlace = 0..<size
        }
        let isValid = head.withUnsafeBufferPointer {
            pass.record.read($0, headPlace, payload: payload.size, count: pass.valueCount)
        }
        guard isValid else { return "the head of a row is damaged" }
        var values = head
        if size > place.count || pass.record.end > place.upperBound {
            let start = headPlace.lowerBound
            let places = pass.record.move(pass.columns).map { $0.lowerBound - start..<$0.upperBound - start }
            values = try parts(places, of: payload, page[place])
        }
        return values.withUnsafeBufferPointer { add($0, key, &pass) }
    }

    private func add(_ values: UnsafeBufferPointer<UInt8>, _ key: Int64, _ pass: inout Pass) -> String? {
        var key = key
        if !pass.isTable {
            guard let last = pass.record.integer(values, pass.key) else {
                return "an entry has no number of a row"
            }
            key = last
        }
        for position in pass.wanted.indices {
            let entry = IndexEntry(values, pass.record, pass.wanted[position], key: key)
            pass.sums[position].add(entry)
            pass.digests?.insert(entry.digest)
            guard !pass.isTable, pass.ascends else { continue }
            if let last = pass.lastEntry, !last.isBefore(entry) {
                return "entries do not ascend, or occur twice"
            }
            pass.lastEntry = entry
        }
        return nil
    }

    /// Parts of a record, one after the other. The chain of its further pages was checked before.
    /// - Parameters:
    ///   - places: the parts, ascending, by their places in the record.
    ///   - local: the bytes of the record on its first page.
    private func parts(
        _ places: [Range<Int>], of payload: Payload, _ local: ArraySlice<UInt8>
    ) throws -> [UInt8] {
        var result: [UInt8] = []
        var (piece, start, next) = (local, 0, payload.rest ?? 0)
        for place in places {
            var from = place.lowerBound
            // ends: each round reads one page of a chain that was found to end
            while from < place.upperBound {
                if from >= start + piece.count {
                    guard next > 0 else { throw Fault(page: next, text: "a long value is incomplete") }
                    start += piece.count
                    let page = try file.bytes(in: (next - 1) * pageSize..<next * pageSize).array
                    guard page.count == pageSize else {
                        throw Fault(page: next, text: "a long value is incomplete")
                    }
                    next = BigEndian.number(page, at: 0)
                    piece = page[4..<usable]
                    continue
                }
                let end = min(place.upperBound, start + piece.count)
                result += piece[piece.startIndex + from - start..<piece.startIndex + end - start]
                from = end
            }
        }
        return result
    }
}
