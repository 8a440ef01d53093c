import Base
import Testing

@Suite struct Base64Tests {
    /// RFC 4648, 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectorsOfTheStandardAreWrittenAndRead(text: String, digits: String) {
        #expect(Base64.text(Array(text.utf8)) == digits)
        #expect(Base64.bytes(Array(digits.utf8)) == Array(text.utf8))
    }

    @Test func everyByteReturns() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Base64.bytes(Array(Base64.text(bytes).utf8)) == bytes)
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "====", "Zm9v\n", "Zm9-", "Zg==Zg==", "Z g="])
    func otherTextIsRefused(digits: String) { #expect(Base64.bytes(Array(digits.utf8)) == nil) }
}
