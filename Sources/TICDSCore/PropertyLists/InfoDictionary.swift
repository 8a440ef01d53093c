import KeyedArchive
import SystemCalls
import SystemPackage

/// A dictionary of the framework in a property list: strings under known keys, user info, and whatever else is there
/// (ticds-remote-format(5), 1.4).
struct InfoDictionary: Sendable, Hashable {
    private(set) var pairs: [ArchivedPair]

    init() { pairs = [] }

    init(_ value: ArchivedValue, path: FilePath) throws(FileProblem) {
        guard let pairs = value.pairs else {
            throw FileProblem(
                .damaged, path: path, "not the property list of this file", expected: "a dictionary",
                found: "a list with something else on top")
        }
        self.pairs = pairs
    }

    /// The text under a key; nil where there is none.
    func string(_ key: String) -> String? {
        ArchivedValue.dictionary(pairs)[key]?.stringValue
    }

    func value(_ key: String) -> ArchivedValue? {
        ArchivedValue.dictionary(pairs)[key]
    }

    /// Adds a pair; nil is left out, as the framework does.
    mutating func append(_ key: String, _ value: ArchivedValue?) {
        guard let value else { return }
        pairs.append(ArchivedPair(key: .string(key), value: value))
    }

    mutating func append(_ others: [ArchivedPair]) { pairs += others }

    func pairs(without keys: [String]) -> [ArchivedPair] {
        pairs.filter { pair in !keys.contains { $0 == pair.key.stringValue } }
    }

    func xml(path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            return try XMLPropertyListWriter.bytes(of: .dictionary(pairs))
        } catch {
            throw FileProblem(
                .writeFailed, path: path, "cannot be written as a property list", expected: error.expected,
                found: error.found)
        }
    }
}
