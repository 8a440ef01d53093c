import KeyedArchive

/// Random file names, which no other process chooses.
package enum RandomName {
    /// 32 hexadecimal digits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return hexadecimalDigits(of: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Whether `name` has the form of such a name.
    package static func isOne(_ name: some Collection<UInt8>) -> Bool {
        name.count == 32 && name.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
