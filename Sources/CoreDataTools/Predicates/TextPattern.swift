/// The text at the right side of `CONTAINS`, `BEGINSWITH`, `ENDSWITH` or `LIKE`, prepared so that a search takes time
/// in proportion to the lengths of both texts. Only a part of a pattern with `?` between two `*` takes time in
/// proportion to their product.
struct TextPattern {
    /// Text between two `*` of a pattern, in which nil stands for any scalar.
    private struct Part {
        let scalars: [Unicode.Scalar?]
        /// For each beginning of the part, the length of its longest proper prefix that is also a suffix; nil for a
        /// part with `?`, for which such lengths do not exist.
        let borders: [Int]?

        init(_ scalars: [Unicode.Scalar?]) {
            self.scalars = scalars
            guard !scalars.contains(nil) else {
                borders = nil
                return
            }
            var borders = Array(repeating: 0, count: scalars.count)
            var length = 0
            for place in scalars.indices.dropFirst() {
                while length > 0, scalars[place] != scalars[length] { length = borders[length - 1] }
                if scalars[place] == scalars[length] { length += 1 }
                borders[place] = length
            }
            self.borders = borders
        }

        func isAt(_ place: Int, of text: [Unicode.Scalar], _ steps: inout Int) -> Bool {
            guard place >= 0, text.count - place >= scalars.count else { return false }
            for (offset, scalar) in scalars.enumerated() where scalar != nil && scalar != text[place + offset]
            {
                steps += offset
                return false
            }
            steps += scalars.count
            return true
        }

        /// The end of the first occurrence of the part in `range` of the text.
        func firstEnd(in range: Range<Int>, of text: [Unicode.Scalar], _ steps: inout Int) -> Int? {
            guard range.count >= scalars.count else { return nil }
            if scalars.isEmpty { return range.lowerBound }
            guard let borders else {
                for place in range.lowerBound...(range.upperBound - scalars.count) {
                    steps += 1
                    // The caller gives up.
                    if steps > PredicateEvaluation.stepLimit { return nil }
                    if isAt(place, of: text, &steps) { return place + scalars.count }
                }
                return nil
            }
            steps += range.count
            var length = 0
            for place in range {
                while length > 0, scalars[length] != text[place] { length = borders[length - 1] }
                if scalars[length] == text[place] { length += 1 }
                if length == scalars.count { return place + 1 }
            }
            return nil
        }
    }

    private let parts: [Part]
    private let startsAtStart: Bool
    private let endsAtEnd: Bool

    init(_ scalars: [Unicode.Scalar], _ operation: ObjectPredicate.Operator) {
        if operation == .like {
            parts = scalars.split(separator: "*", omittingEmptySubsequences: false).map {
                Part($0.map { $0 == "?" ? nil : $0 })
            }
        } else {
            parts = [Part(scalars)]
        }
        startsAtStart = operation == .like || operation == .beginsWith
        endsAtEnd = operation == .like || operation == .endsWith
    }

    /// - Parameter steps: the work so far.
    func matches(_ text: [Unicode.Scalar], _ steps: inout Int) -> Bool {
        var middle = parts[...]
        var range = 0..<text.count
        if startsAtStart, let first = middle.first {
            guard first.isAt(0, of: text, &steps) else { return false }
            if middle.count == 1, endsAtEnd { return text.count == first.scalars.count }
            range = first.scalars.count..<text.count
            middle.removeFirst()
        }
        if endsAtEnd, let last = middle.last {
            let start = text.count - last.scalars.count
            guard start >= range.lowerBound, last.isAt(start, of: text, &steps) else { return false }
            range = range.lowerBound..<start
            middle.removeLast()
        }
        for part in middle {
            guard let end = part.firstEnd(in: range, of: text, &steps) else { return false }
            range = end..<range.upperBound
        }
        return true
    }
}
