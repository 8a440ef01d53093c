import KeyedArchive

/// A random number generator whose numbers depend on its seed alone (SplitMix64), so that every demonstration is equal.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An identifier of the form that the framework makes (ticds-remote-format(5), 1.2).
    mutating func identifier() -> String {
        let text = hexadecimal(next(), 16) + hexadecimal(next(), 16)
        let digits = Array(text)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        let process = Int.random(in: 200...60_000, using: &self)
        return groups.joined(separator: "-") + "-\(process)-" + hexadecimal(next() >> 16, 16)
    }

    /// The UUID of a store.
    mutating func uuid() -> ArchivedUUID { ArchivedUUID.random(using: &self) }

    mutating func element<Element>(of choices: [Element]) -> Element? { choices.randomElement(using: &self) }

    private func hexadecimal(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}
