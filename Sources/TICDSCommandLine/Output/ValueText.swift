import Base
import CoreDataStore
package import KeyedArchive
import SystemCalls
package import TICDSCore

/// Values from stores and change sets, on one line, for people.
extension TextStyle {
    /// `value` in about `limit` characters at most, with a count of the omitted part, and escaped for the terminal.
    package func line(of value: ArchivedValue, limit: Int = 120) -> String {
        switch value {
        case .none, .null: "nil"
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): String(number)
        case .real(let number): number.description
        case .string(let text): quoted(text, limit)
        case .data(let bytes): data(bytes)
        case .date(let seconds): date(seconds)
        case .decimal(let decimal): decimal.description
        case .uuid(let uuid): uuid.description
        case .url(let text): "<" + shortened(text, limit) + ">"
        case .array(let members):
            list(members.lazy.map { line(of: $0, limit: limit / 2) }, members.count, "[", "]", limit)
        case .set(let members), .orderedSet(let members):
            list(members.lazy.map { line(of: $0, limit: limit / 2) }, members.count, "{", "}", limit)
        case .dictionary(let pairs):
            list(
                pairs.lazy.map { "\(key($0.key)): \(line(of: $0.value, limit: limit / 2))" }, pairs.count,
                "{",
                "}", limit)
        case .attributedString(let text): quoted(text.string, limit)
        case .object where value.missingExternalFile != nil:
            "(no file \(escapedText(value.missingExternalFile ?? "")))"
        case .object(let object):
            escapedText(object.className)
                + list(
                    object.fields.lazy.map {
                        "\(escapedText($0.name)): \(line(of: $0.value, limit: limit / 2))"
                    },
                    object.fields.count, "(", ")", limit)
        case .cycle: "(cycle)"
        case .uid(let number): "UID \(number)"
        }
    }

    /// A string key without quotation marks.
    private func key(_ value: ArchivedValue) -> String {
        value.stringValue.map { shortened($0, 60) } ?? line(of: value, limit: 60)
    }

    private func quoted(_ text: String, _ limit: Int) -> String {
        "\"" + shortened(text, limit) + "\""
    }

    private func shortened(_ text: String, _ limit: Int) -> String {
        let start = text.prefix(max(limit, 8))
        let left = text.utf8.count - start.utf8.count
        let shown = escapedText(String(start))
        return left == 0 ? shown : shown + "… (\(size(left)) more)"
    }

    private func data(_ bytes: [UInt8]) -> String {
        let start = hexadecimalDigits(of: bytes.prefix(8))
        let rest = bytes.count > 8 ? "…" : ""
        return "<\(size(bytes.count))\(bytes.isEmpty ? "" : ": " + start + rest)>"
    }

    private func date(_ seconds: Double) -> String {
        let text = FileTime(secondsSince2001: seconds).map { second($0) } ?? "date \(seconds)"
        switch seconds {
        case ArchivedValue.distantPast: return "\(text) (distantPast)"
        case ArchivedValue.distantFuture: return "\(text) (distantFuture)"
        default: return text
        }
    }

    /// Members up to the limit, then the number of further ones.
    private func list(
        _ members: some Sequence<String>, _ count: Int, _ open: String, _ close: String, _ limit: Int
    ) -> String {
        var text = open
        var shown = 0
        for member in members {
            if text.utf8.count + member.utf8.count > limit { break }
            text += (shown == 0 ? "" : ", ") + member
            shown += 1
        }
        if shown < count { text += (shown == 0 ? "" : ", ") + "… \(Quantities.count(count - shown)) more" }
        return text + close
    }
}
