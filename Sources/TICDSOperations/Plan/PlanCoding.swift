import Base
import FoundationEssentials
public import SystemCalls
public import SystemPackage
public import TICDSCore

// Encoding of the values of a plan: names and paths as text if they are UTF-8, times in ISO 8601.

extension RemoteName: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try PlannedBytes(from: decoder).bytes)
        guard isSafe else { throw decoder.refusal("\"\(description)\" is not the name of an entry") }
    }

    public func encode(to encoder: any Encoder) throws { try PlannedBytes(bytes).encode(to: encoder) }
}

extension RemotePath: Codable {
    public init(from decoder: any Decoder) throws {
        let bytes = try PlannedBytes(from: decoder).bytes
        let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        self.init(bytes.isEmpty ? [] : names.map { RemoteName($0) })
        guard isSafe else { throw decoder.refusal("\"\(description)\" leads out of the remote") }
    }

    public func encode(to encoder: any Encoder) throws { try PlannedBytes(bytes).encode(to: encoder) }
}

extension FileTime: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = FileTime(iso: text) else { throw decoder.refusal("\"\(text)\" is not a time") }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso)
    }
}

extension FileKind: Codable {
    private static let names: [(kind: FileKind, name: String)] = [
        (.file, "file"), (.folder, "folder"), (.symbolicLink, "symbolicLink"), (.special, "special"),
    ]

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let found = Self.names.first(where: { $0.name == text }) else {
            throw decoder.refusal("\"\(text)\" is not the kind of an entry")
        }
        self = found.kind
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.first { $0.kind == self }?.name ?? "special")
    }
}

extension Plan {
    private enum Keys: String, CodingKey {
        case schema, root, command, summary, notes, actions, conditions, maxDelete
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let schema = try container.decode(String.self, forKey: .schema)
        guard schema == Self.schema else {
            throw decoder.refusal("a plan of the schema \"\(schema)\"; this version reads \(Self.schema)")
        }
        let root = try container.decode(PlannedBytes.self, forKey: .root).bytes
        guard root.first == UInt8(ascii: "/") || root.starts(with: "rclone:".utf8), !root.contains(0) else {
            throw decoder.refusal("the remote of a plan must be an absolute path, or an address of rclone")
        }
        self.init(
            root: FilePath(pathBytes: root), command: try container.decode(String.self, forKey: .command),
            summary: try container.decode(String.self, forKey: .summary),
            notes: try container.decode([PlanNote].self, forKey: .notes),
            actions: try container.decode(PlanActions.self, forKey: .actions))
        conditions = try container.decode([PlanCondition].self, forKey: .conditions)
        if let text = try container.decodeIfPresent(String.self, forKey: .maxDelete) {
            guard let share = CountOrPercent(text) else {
                throw decoder.refusal("\"\(text)\" is not a limit: N or N%")
            }
            limit = DeletionLimit(share)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(PlannedBytes(root.bytes), forKey: .root)
        try container.encode(command, forKey: .command)
        try container.encode(summary, forKey: .summary)
        try container.encode(notes, forKey: .notes)
        try container.encode(actions, forKey: .actions)
        try container.encode(conditions, forKey: .conditions)
        try container.encodeIfPresent(limit?.share.text, forKey: .maxDelete)
    }
}

/// Bytes in a saved plan: a string if they are UTF-8, otherwise `{"base64": ...}`.
public struct PlannedBytes: Hashable, Sendable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Bytes that a plan contains.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension PlannedBytes: Codable {
    private enum Keys: String, CodingKey { case base64 }

    public init(from decoder: any Decoder) throws {
        // try?: what is not text is base64
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(Array(text.utf8))
            return
        }
        let text = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .base64)
        guard let bytes = Base64.bytes(Array(text.utf8)) else {
            throw decoder.refusal("bytes are not in base64")
        }
        self.init(bytes)
    }

    public func encode(to encoder: any Encoder) throws {
        if let text = String(validating: bytes, as: UTF8.self) {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        } else {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(Base64.text(bytes), forKey: .base64)
        }
    }
}

extension Decoder {
    func refusal(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }
}

/// Files with plans (schema `ticds.plan/1`): JSON that a user can review, and apply exactly later.
public enum PlanFile {
    /// The plan as JSON: indented, with sorted keys and a line break at the end.
    public static func bytes(of plan: Plan) throws(FileProblem) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(plan)) + [UInt8(ascii: "\n")]
        } catch {
            throw FileProblem(.writeFailed, path: plan.root, "the plan cannot be written", found: "\(error)")
        }
    }

    /// Reads a saved plan. Refuses names that lead out of the remote.
    /// - Throws: `.damaged` if the file is not a plan, or was edited so that it is no longer one.
    public static func read(_ path: FilePath) throws(FileProblem) -> Plan {
        let bytes = try FileBytes.read(path, limit: .plan).array
        do {
            return try JSONDecoder().decode(Plan.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw FileProblem(
                .damaged, path: path, "not a saved plan", expected: Plan.schema, found: text(of: error),
                advice: "Make the plan again with --save-plan")
        } catch {
            throw FileProblem(.damaged, path: path, "not a saved plan", found: "\(error)")
        }
    }

    private static func text(of error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "\(error)"
        }
        let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        return (place.isEmpty ? "" : place.joined(separator: ".") + ": ") + context.debugDescription
    }
}
