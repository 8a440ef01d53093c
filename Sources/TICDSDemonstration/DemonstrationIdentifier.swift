import KeyedArchive

/// A random number generator whose numbers depend only on its seed (SplitMix64), so that all demonstrations are equal.
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
    mutating func identifier() -> DemonstrationIdentifier { DemonstrationIdentifier(&self) }

    mutating func uuid() -> ArchivedUUID { ArchivedUUID.random(using: &self) }
    mutating func element<Choices: RandomAccessCollection>(of choices: Choices) -> Choices.Element? {
        choices.randomElement(using: &self)
    }
}

/// An identifier, as the state of the generator that made it: 8 bytes in place of 64. A demonstration may have millions.
struct DemonstrationIdentifier: Comparable, Sendable {
    private let generator: SeededGenerator

    fileprivate init(_ random: inout SeededGenerator) {
        generator = random
        _ = Self.parts(&random)
    }

    private typealias Parts = (high: UInt64, low: UInt64, process: Int, end: UInt64)

    private static func parts(_ random: inout SeededGenerator) -> Parts {
        let (high, low) = (random.next(), random.next())
        let process = Int.random(in: 200...60_000, using: &random)
        return (high, low, process, random.next() >> 16)
    }

    private var parts: Parts {
        var random = generator
        return Self.parts(&random)
    }

    /// The first two digits as a number.
    var start: UInt8 { UInt8(truncatingIfNeeded: parts.high >> 56) }

    var text: String {
        let (high, low, process, end) = parts
        let digits = [(high >> 32, 8), (high >> 16, 4), (high, 4), (low >> 48, 4), (low, 12)]
        return digits.map(Self.hexadecimal).joined(separator: "-") + "-\(process)-"
            + Self.hexadecimal(end, 16)
    }

    /// The last `width` digits of a number.
    private static func hexadecimal(_ number: UInt64, _ width: Int) -> String {
        String(unsafeUninitializedCapacity: width) { room in
            for position in 0..<width {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * (width - 1 - position))) & 15
                room[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
            }
            return width
        }
    }

    static func == (one: DemonstrationIdentifier, other: DemonstrationIdentifier) -> Bool {
        one.parts == other.parts
    }

    /// The order of the texts: the digits have a fixed number, except those of the process.
    static func < (one: DemonstrationIdentifier, other: DemonstrationIdentifier) -> Bool {
        let (mine, its) = (one.parts, other.parts)
        if (mine.high, mine.low) != (its.high, its.low) { return (mine.high, mine.low) < (its.high, its.low) }
        return one.text < other.text
    }
}
