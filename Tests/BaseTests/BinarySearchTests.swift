import Base
import Testing

@Suite("Binary search")
struct BinarySearchTests {
    @Test("The end of a prefix is where the first element outside of it stands, whatever both counts are")
    func everyCount() {
        for count in 0...70 {
            for prefix in 0...count {
                let elements = Array(0..<count)
                #expect(elements.endOfPrefix { $0 < prefix } == prefix)
                #expect(elements.dropFirst().endOfPrefix { $0 < prefix } == Swift.max(prefix, min(1, count)))
            }
        }
    }

    @Test("A search asks about as many elements as the number has binary digits")
    func questions() {
        var questions = 0
        _ = (0..<1_000_000).endOfPrefix {
            questions += 1
            return $0 < 123_456
        }
        #expect(questions <= 20)
    }
}
