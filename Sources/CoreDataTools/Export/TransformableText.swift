import Base
import CoreDataStore
import KeyedArchive

/// The text of a Transformable attribute in CSV and plain databases: JSON, or base64 for data.
enum TransformableText {
    /// Whether a text is to be read as JSON, rather than as base64.
    static func isJSON(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return ["true", "false", "null"].contains(text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            var scanner = JSONScanner(Array(text.utf8))
            // try?: a text that is no number is base64
            return (try? scanner.number()) != nil && scanner.isAtEnd
        default: return false
        }
    }
}

extension ExportValue {
    /// The value of an attribute. Transformable attributes can contain any object, so that only JSON shows its class.
    /// - Parameter asText: whether data becomes base64.
    init(_ value: ArchivedValue, of type: AttributeType, asText: Bool, json: (ArchivedValue) -> String) {
        self.init(value, json: json)
        guard type == .transformable else { return }
        switch (self, value) {
        case (.null, _), (.integer, _): break
        case (.real(let number), _) where number.isFinite: break
        case (.data(let bytes), _) where !asText || !TransformableText.isJSON(Base64.text(bytes)): break
        default: self = .text(json(value))
        }
    }
}
