import Glibc
import SystemPackage

/// Random numbers from a seed (SplitMix64), so that a failure can be reproduced.
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    /// The seed of all tests: the variable TICDS_SEED, otherwise 1. The first use prints it.
    package static let seed: UInt64 = {
        let seed = getenv("TICDS_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
        let text = "random numbers: TICDS_SEED=\(seed) gives the same again\n"
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
        return seed
    }()

    private var state: UInt64

    /// - Parameter salt: makes a different sequence for each user of the seed.
    package init(_ salt: UInt64 = 0) { state = Self.seed &* 0x9E37_79B9_7F4A_7C15 &+ salt }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
