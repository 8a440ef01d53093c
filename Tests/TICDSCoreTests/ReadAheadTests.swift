import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Values that one thread produces ahead of another.
@Suite struct ReadAheadTests {
    @Test(arguments: [0, 1, 2, 255, 10_000]) func valuesComeInOrder(_ count: Int) {
        var used: [Int] = []
        ReadAhead.forEach(weight: { (value: Int) in value % 7 == 0 ? 1 : 0.01 }) { give in
            for value in 0..<count { #expect(give(value)) }
        } use: {
            used.append($0)
        }
        #expect(used == Array(0..<count))
    }

    /// After an error no more values are produced, however many there would be.
    @Test func errorsEndTheWork() {
        struct Fault: Error {}
        let made = Atomic<Int>(0)
        #expect(throws: Fault.self) {
            try ReadAhead.forEach(weight: { (_: Int) in 0.25 }) { give in
                var value = 0
                while give(value) { value += 1 }
                made.store(value, ordering: .relaxed)
            } use: { (value) throws(Fault) in
                if value == 10 { throw Fault() }
            }
        }
        // Two pieces of four were used in part, four waited, one was being produced.
        #expect((10..<40).contains(made.load(ordering: .relaxed)))
    }
}
