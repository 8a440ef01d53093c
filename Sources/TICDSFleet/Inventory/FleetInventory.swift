import Base
package import SystemCalls
package import SystemPackage
import TICDSOperations

/// The remotes of a fleet, in a file of JSON Lines, by identifier.
package struct FleetInventory: Sendable {
    /// The remotes by identifier.
    package private(set) var remotes: [String: FleetRemote]
    private let path: FilePath

    /// The limit, which admits some three million remotes.
    private static let limit = ReadLimit(1 << 30, "inventory of a fleet")

    /// The inventory that is used if no option names one.
    package static var standardPath: FilePath {
        get throws(FileProblem) {
            try Environment.stateHome.pushing(FilePath("fleet/inventory.jsonl"))
        }
    }

    /// Reads an inventory; a file that does not exist is an empty one.
    package init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        remotes = [:]
        let bytes = try unlessMissing { () throws(FileProblem) in try FileBytes.read(path, limit: Self.limit)
        }
        guard let bytes else { return }
        for remote in try Self.remotes(in: bytes, path) { remotes[remote.identifier] = remote }
    }

    /// The remotes in the bytes of a file of JSON Lines.
    static func remotes(in bytes: SharedBytes, _ path: FilePath) throws(FileProblem) -> [FleetRemote] {
        var remotes: [FleetRemote] = []
        var offset = 0
        while offset < bytes.count {
            let (line, next) = bytes.withUnsafeBytes { all -> ([UInt8], Int) in
                let rest = all[offset...]
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                return (Array(rest[..<end]), end + 1)
            }
            if !line.isEmpty { remotes.append(try FleetRemote(line: line, path: path, offset: offset)) }
            offset = next
        }
        return remotes
    }

    /// All remotes in the order of their identifiers.
    package var sorted: [FleetRemote] { remotes.values.sorted { $0.identifier < $1.identifier } }

    /// Adds a remote, or replaces the one at the same location.
    /// - Throws: `.refused` if a different location has the same identifier.
    package mutating func put(_ remote: FleetRemote) throws(FileProblem) {
        if let other = remotes[remote.identifier], other.location != remote.location {
            throw FileProblem(
                .refused, path: remote.location, "has the same identifier as another remote",
                found: other.location.escaped, advice: "Keep one of them in another inventory")
        }
        remotes[remote.identifier] = remote
    }

    /// Removes the remote with the identifier.
    package mutating func remove(_ identifier: String) { remotes[identifier] = nil }

    /// Changes an inventory under a lock, so that no other process changes it between its read and its write.
    package static func change<Value>(
        _ path: FilePath, _ body: (inout FleetInventory) throws(FileProblem) -> Value
    ) throws(FileProblem) -> Value {
        try PrivateDirectory.make(path.parent)
        let lock = try FileLock(path.parent.appending((path.lastComponent?.string ?? "") + ".lock"), wait: 60)
        { _ in
            FileProblem(
                .refused, path: path, "another program is changing the inventory",
                advice: "Wait until it has finished")
        }
        defer { _ = lock }
        var inventory = try FleetInventory(path)
        let before = inventory.remotes
        let value = try body(&inventory)
        if inventory.remotes != before {
            try AtomicFile.write(Self.bytes(of: inventory.sorted), to: path)
        }
        return value
    }

    /// The lines of remotes.
    static func bytes(of remotes: [FleetRemote]) -> [UInt8] {
        var json = JSONWriter(nil)
        for remote in remotes { json.document(remote, FleetRemote.schema) }
        return Array(json.text.utf8)
    }
}
