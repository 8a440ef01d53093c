#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes as a saved plan holds them: a string where they are UTF-8, else `{"base64": ...}`.
public struct PlannedBytes: Hashable, Sendable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Bytes that travel with a plan.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension PlannedBytes: Codable {
    private enum Keys: String, CodingKey { case base64 }

    public init(from decoder: any Decoder) throws {
        // try?: what is no text is base 64
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(Array(text.utf8))
            return
        }
        let text = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .base64)
        guard let data = Data(base64Encoded: text) else { throw decoder.refusal("bytes are not in base 64") }
        self.init(Array(data))
    }

    public func encode(to encoder: any Encoder) throws {
        if let text = String(validating: bytes, as: UTF8.self) {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        } else {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
        }
    }
}

extension Decoder {
    func refusal(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }
}
