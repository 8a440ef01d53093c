import CoreDataStore
import Glibc
import KeyedArchive

/// Finds numbers with more digits than a store can contain.
///
/// The number in a file survives if the number in the store, rounded to as many digits, is the same.
enum ImportDigits {
    /// The number that a store would contain in place of the one in a cell; nil if that one survives.
    static func nearest(
        of cell: ImportCell, _ value: ArchivedValue, _ type: AttributeType, _ kind: NewStore.Kind
    ) -> String? {
        switch (type, value) {
        case (.double, .real(let number)): return nearest(of: cell, number, certain: 15)
        case (.float, .real(let number)):
            // A float in a binary store is a double, which Core Data rounds when it reads the store.
            return Float(number).isFinite ? nearest(of: cell, Double(Float(number)), certain: 6) : nil
        case (.decimal, .decimal(let number)): return number.nearest(in: kind)?.description
        default: return nil
        }
    }

    static func problem(_ cell: ImportCell, _ nearest: String) -> CellProblem {
        CellProblem(
            "has more digits than the store can contain", expected: "a number such as \(nearest)",
            found: cell.shown, advice: "Shorten the number, or take the nearest one with --round")
    }

    /// - Parameter certain: the number of digits that survive in any number that is not extremely small.
    private static func nearest(of cell: ImportCell, _ stored: Double, certain: Int) -> String? {
        guard stored.isFinite, let text = text(of: cell), let digits = Digits(text) else { return nil }
        if digits.count <= certain, stored.magnitude > 1e-37 { return nil }
        return digits == Digits(stored, count: digits.count) ? nil : "\(stored)"
    }

    /// The number in a cell as the file has it; nil for a value in another form, which an export writes exactly.
    private static func text(of cell: ImportCell) -> String? {
        switch cell {
        case .text(let text): return text
        case .integer(let number): return String(number)
        case .real(let number): return "\(number)"
        case .json(let bytes):
            guard let first = bytes.first, first != UInt8(ascii: "{") else { return nil }
            let isText = first == UInt8(ascii: "\"")
            return String(decoding: isText ? bytes.dropFirst().dropLast() : bytes[...], as: UTF8.self)
        case .absent, .null, .data: return nil
        }
    }

    /// The digits of a number without zeros at both ends, and the place of its point.
    private struct Digits: Equatable {
        private var digits: [UInt8] = []
        private var exponent = 0
        private var isNegative = false

        var count: Int { digits.count }

        /// - Returns: nil for a text that is no number.
        init?(_ text: String) {
            var hasPoint = false
            var shift = 0
            var rest = text.utf8[...]
            if let sign = rest.first, "+-".utf8.contains(sign) {
                isNegative = sign == UInt8(ascii: "-")
                rest.removeFirst()
            }
            while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
                rest.removeFirst()
                if byte == UInt8(ascii: ".") {
                    guard !hasPoint else { return nil }
                    hasPoint = true
                    continue
                }
                guard (48...57).contains(byte) else { return nil }
                if hasPoint { shift -= 1 }
                if !digits.isEmpty || byte != 48 { digits.append(byte) }
            }
            if !rest.isEmpty {
                guard let number = Int(String(decoding: rest.dropFirst(), as: UTF8.self)),
                    number.magnitude < 1 << 32
                else { return nil }
                exponent = number
            }
            while digits.last == 48 {
                digits.removeLast()
                shift += 1
            }
            exponent = digits.isEmpty ? 0 : exponent + shift  // bounded: 32 bits, and bytes in memory
            if digits.isEmpty { isNegative = false }
        }

        /// The number rounded to this many digits; nil for more digits than any number has.
        init?(_ number: Double, count: Int) {
            guard count <= 800 else { return nil }
            var buffer = [CChar](repeating: 0, count: 840)
            let length = withVaList([CInt(max(count - 1, 0)), number]) {
                vsnprintf(&buffer, buffer.count, "%.*e", $0)
            }
            guard length > 0, length < buffer.count else { return nil }
            self.init(String(decoding: buffer[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
    }
}
