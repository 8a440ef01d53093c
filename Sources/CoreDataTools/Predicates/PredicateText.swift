import Base
import KeyedArchive
import SystemCalls

extension ObjectPredicate {
    /// The condition in the form in which it is parsed.
    public var text: String { text(inside: .or) }

    private enum Strength: Int { case or, and, not }

    private func text(inside outer: Strength) -> String {
        func grouped(_ text: String, _ own: Strength) -> String {
            own.rawValue < outer.rawValue ? "(\(text))" : text
        }
        switch self {
        case .constant(let truth): return truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let inner): return "NOT \(inner.text(inside: .not))"
        case .and(let one, .and(let two, let three)):
            return grouped("\(one.text(inside: .and)) AND (\(Self.and(two, three).text))", .and)
        case .and(let one, let two):
            return grouped("\(one.text(inside: .and)) AND \(two.text(inside: .and))", .and)
        case .or(let one, .or(let two, let three)):
            return grouped("\(one.text(inside: .or)) OR (\(Self.or(two, three).text))", .or)
        case .or(let one, let two):
            return grouped("\(one.text(inside: .or)) OR \(two.text(inside: .or))", .or)
        case .comparison(let comparison): return comparison.text
        }
    }

    /// The condition with every key path replaced by what `change` makes of it.
    func mappingKeyPaths(_ change: ([String]) -> [String]) -> ObjectPredicate {
        func changed(_ operand: Operand) -> Operand {
            if case .keyPath(let path) = operand { .keyPath(change(path)) } else { operand }
        }
        switch self {
        case .constant: return self
        case .not(let inner): return .not(inner.mappingKeyPaths(change))
        case .and(let one, let two): return .and(one.mappingKeyPaths(change), two.mappingKeyPaths(change))
        case .or(let one, let two): return .or(one.mappingKeyPaths(change), two.mappingKeyPaths(change))
        case .comparison(var comparison):
            comparison.left = changed(comparison.left)
            comparison.right = changed(comparison.right)
            return .comparison(comparison)
        }
    }
}

extension ObjectPredicate.Comparison {
    fileprivate var text: String {
        let word =
            switch quantifier {
            case .one: ""
            case .any: "ANY "
            case .all: "ALL "
            case .none: "NONE "
            }
        let flags = (ignoresCase ? "c" : "") + (ignoresAccents ? "d" : "")
        let options = flags.isEmpty ? "" : "[\(flags)]"
        return "\(word)\(left.text) \(operation.name)\(options) \(right.text)"
    }
}

extension ObjectPredicate.Operand {
    fileprivate var text: String {
        switch self {
        case .keyPath(let path): path.joined(separator: ".")
        case .value(let value): value.expressionText
        case .list(let values): "{\(values.map(\.expressionText).joined(separator: ", "))}"
        }
    }
}

extension ArchivedValue {
    /// A value as a constant of conditions and of the expressions of a migration; in words for a value that they lack.
    var expressionText: String {
        switch self {
        case .none, .null: "nil"
        case .boolean(let truth): truth ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .date(let seconds): "CAST(\(Self.dateText(seconds)), \"NSDate\")"
        case .decimal(let number): "CAST(\"\(number)\", \"NSDecimalNumber\")"
        case .uuid(let uuid): "CAST(\"\(uuid)\", \"NSUUID\")"
        case .url(let text): "CAST(\(Self.quoted(text)), \"NSURL\")"
        case .data(let bytes): "CAST(\"\(Base64.text(bytes))\", \"NSData\")"
        default: "<\(kindName)>"
        }
    }

    /// A time in ISO 8601 if that has the same value, otherwise seconds since 2001.
    private static func dateText(_ seconds: Double) -> String {
        guard let time = FileTime(exactSecondsSince2001: seconds) else { return "\(seconds)" }
        return "\"\(time.iso)\""
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
