import Foundation

/// A JSON document with access by names and positions.
struct ParsedJSON {
    private let value: Any?

    init(_ bytes: [UInt8]) { value = try? JSONSerialization.jsonObject(with: Data(bytes)) }

    private init(value: Any?) { self.value = value }

    subscript(name: String) -> ParsedJSON { ParsedJSON(value: (value as? [String: Any])?[name]) }

    subscript(position: Int) -> ParsedJSON {
        let members = value as? [Any] ?? []
        return ParsedJSON(value: members.indices.contains(position) ? members[position] : nil)
    }

    var text: String? { value as? String }
    /// The number; -1 if there is none.
    var number: Int { (value as? NSNumber)?.intValue ?? -1 }
    var count: Int { (value as? [Any])?.count ?? -1 }

    func texts(_ name: String) -> [String] {
        (value as? [[String: Any]] ?? []).compactMap { $0[name] as? String }
    }
}
