import TestSupport
import Testing

@testable import TICDSCore
@testable import TICDSSync

/// The identifiers of the sets in a document, compared with a set of arrays.
@Suite struct KnownSetsTests {
    @Test(arguments: [0, 1, 1000, 100_000]) func containWhatWasInserted(_ capacity: Int) {
        var random = RandomNumbers(43)
        var known = KnownSets(capacity: capacity)
        var expected: Set<[UInt8]> = []
        func identifier() -> [UInt8] {
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in UInt8.random(in: 0..<12, using: &random) }
        }
        for _ in 0..<3000 {
            let new = identifier()
            new.withUnsafeBytes { known.insert($0) }
            expected.insert(new)
            let other = identifier()
            #expect(known.contains(RemoteName(other)) == expected.contains(other))
            #expect(known.count == expected.count)
        }
        for name in expected { #expect(known.contains(RemoteName(name))) }
    }
}
