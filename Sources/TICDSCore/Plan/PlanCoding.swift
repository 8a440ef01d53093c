public import SystemCalls
import SystemPackage

// How the values of a plan are written: names and paths as text where they are UTF-8, times in ISO 8601.

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

    /// True where every name is that of an entry.
    public var isSafe: Bool { names.allSatisfy(\.isSafe) }
}

extension RemoteName {
    /// False for what names no entry of a folder, or another folder.
    public var isSafe: Bool {
        !bytes.isEmpty && bytes.count <= 255 && bytes != Array(".".utf8) && bytes != Array("..".utf8)
            && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
    }
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
    private enum Keys: String, CodingKey { case schema, root, command, summary, notes, actions }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let schema = try container.decode(String.self, forKey: .schema)
        guard schema == Self.schema else {
            throw decoder.refusal("a plan of the schema \"\(schema)\"; this version reads \(Self.schema)")
        }
        let root = try container.decode(PlannedBytes.self, forKey: .root).bytes
        guard root.first == UInt8(ascii: "/"), !root.contains(0) else {
            throw decoder.refusal("the remote of a plan must be an absolute path")
        }
        self.init(
            root: FilePath(pathBytes: root), command: try container.decode(String.self, forKey: .command),
            summary: try container.decode(String.self, forKey: .summary),
            notes: try container.decode([PlanNote].self, forKey: .notes),
            actions: try container.decode([PlannedAction].self, forKey: .actions))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(PlannedBytes(root.bytes), forKey: .root)
        try container.encode(command, forKey: .command)
        try container.encode(summary, forKey: .summary)
        try container.encode(notes, forKey: .notes)
        try container.encode(actions, forKey: .actions)
    }
}
