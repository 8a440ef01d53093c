import KeyedArchive
import SystemCalls

/// A value in the exports to CSV and SQLite.
enum ExportValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data([UInt8])

    /// - Parameter json: converts collections and objects of other classes to text.
    init(_ value: ArchivedValue, json: (ArchivedValue) -> String) {
        switch value {
        case .none, .null: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text("\(number)")
        case .real(let number): self = .real(number)
        case .string(let text), .url(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        case .date(let seconds): self = .text(FileTime(secondsSince2001: seconds)?.iso ?? "\(seconds)")
        case .decimal(let number): self = .text(number.description)
        case .uuid(let uuid): self = .text(uuid.description)
        case .array, .set, .orderedSet, .dictionary, .attributedString, .object, .cycle, .uid:
            self = .text(json(value))
        }
    }
}
