#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values of a plan as the text of one column.
enum JournalCoding {
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // try?: names, times and numbers of a plan always have a text
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
        // try?: nil is damage to the caller
        text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
