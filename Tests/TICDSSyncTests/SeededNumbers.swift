/// Numbers that follow from a seed, the same on every machine.
enum SeededNumbers {
    /// The next number of 53 bits; `state` must not be 0.
    static func next(_ state: inout UInt64) -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 11
    }
}
