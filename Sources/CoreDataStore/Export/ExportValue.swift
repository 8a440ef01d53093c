import KeyedArchive
import SystemCalls

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value as exports other than JSON show it.
enum ExportValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data([UInt8])

    /// - Parameter json: text for what has no form of its own: collections and objects of other classes.
    init(_ value: ArchivedValue, json: (ArchivedValue) -> String) {
        switch value {
        case .none, .null: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text("\(number)")
        case .real(let number): self = .real(number)
        case .string(let text), .url(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        case .date(let seconds): self = .text(Self.text(ofDate: seconds))
        case .decimal(let number): self = .text(number.description)
        case .uuid(let uuid): self = .text(uuid.description)
        case .array, .set, .orderedSet, .dictionary, .attributedString, .object, .cycle, .uid:
            self = .text(json(value))
        }
    }

    /// ISO 8601 in UTC; seconds since 2001 for what has no date there.
    static func text(ofDate seconds: Double) -> String {
        guard let time = FileTime(secondsSince2001: seconds) else { return "\(seconds)" }
        return time.iso
    }

    /// Base 64 with padding.
    static func text(of data: [UInt8]) -> String { Data(data).base64EncodedString() }
}
