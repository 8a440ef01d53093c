import Base
public import SystemCalls
import SystemPackage
import TICDSCore
public import TICDSOperations

/// The identity that distinguishes the snapshots of one remote from those of others: a random number, generated for the
/// first snapshot and stored beside the journal of the remote, so that it belongs to the path of the remote and not to
/// its name. Since a different remote may be put in that path, a snapshot must also share an integrity key with the
/// newest one, directly or through other snapshots.
public struct RemoteIdentity: Sendable, Hashable {
    /// 16 lower-case hexadecimal digits.
    public let identifier: String
    /// Identifiers of other remotes whose snapshots the user adopted.
    public var adoptedIdentifiers: Set<String> = []
    /// Adopted snapshots without an identifier: the UTC time and form at the end of their names.
    public var adoptedNames: Set<String> = []
    /// Integrity keys of adopted snapshots.
    public var adoptedKeys: Set<String> = []

    private static let fileName: FilePath = "identity"
    private static let title = "ticds identity 1"

    private init(identifier: String) { self.identifier = identifier }

    /// The identity of a remote; a new identity, which is not stored, if there is none.
    public static func looked(up state: RemoteState) throws(FileProblem) -> RemoteIdentity {
        try read(try state.kept(fileName), state)
            ?? RemoteIdentity(identifier: randomHexadecimalDigits(bytes: 8))
    }

    /// The identity of a remote; a new identity, which is stored, if there is none. Adds the adoptions.
    public static func kept(
        for state: RemoteState, adopting adoptions: [Adoption] = []
    ) throws(FileProblem) -> RemoteIdentity {
        var identity: RemoteIdentity?
        try state.keep(fileName) { (bytes) throws(FileProblem) in
            var known =
                try read(bytes, state) ?? RemoteIdentity(identifier: randomHexadecimalDigits(bytes: 8))
            for adoption in adoptions { known.adopt(adoption) }
            identity = known
            return known.bytes
        }
        if let identity { return identity }
        return try looked(up: state)
    }

    /// The bytes as an identifier; nil if they are not 16 lower-case hexadecimal digits.
    static func identifier(_ bytes: some Collection<UInt8>) -> String? {
        guard bytes.count == 16,
            bytes.allSatisfy({
                isHexadecimalDigit($0) && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
            })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The content of the file: one value on each line, so that a user can repair it.
    private var bytes: [UInt8] {
        var lines = [Self.title, "identifier \(identifier)"]
        lines += adoptedIdentifiers.sorted().map { "adopted \($0)" }
        lines += adoptedNames.sorted().map { "archive \($0)" }
        lines += adoptedKeys.sorted().map { "key \($0)" }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func read(_ bytes: [UInt8]?, _ state: RemoteState) throws(FileProblem) -> RemoteIdentity? {
        guard let bytes else { return nil }
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }[...]
        guard lines.popFirst() == title, let first = lines.popFirst(), first.hasPrefix("identifier "),
            let identifier = identifier(Array(first.utf8.dropFirst("identifier ".utf8.count))),
            lines.popLast() == ""
        else { throw damaged(state, lines: 1) }
        var identity = RemoteIdentity(identifier: identifier)
        for (number, line) in lines.enumerated() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, !words[1].isEmpty else { throw damaged(state, lines: number + 3) }
            let value = String(words[1])
            switch words[0] {
            case "adopted" where Self.identifier(Array(value.utf8)) != nil:
                identity.adoptedIdentifiers.insert(value)
            case "archive": identity.adoptedNames.insert(value)
            case "key": identity.adoptedKeys.insert(value)
            default: throw damaged(state, lines: number + 3)
            }
        }
        return identity
    }

    private static func damaged(_ state: RemoteState, lines: Int) -> FileProblem {
        FileProblem(
            .damaged, path: state.folder.pushing(fileName),
            "the file that distinguishes the snapshots of this remote from those of others is damaged",
            found: "line \(lines) cannot be understood",
            advice: "Repair it, or move it away: the remote then begins a new series of snapshots")
    }
}

extension ArchiveManifest {
    /// The integrity keys of the documents, which distinguish unrelated remotes; `none` alone if no document has a key.
    public var keys: Set<String> { RemoteIdentity.keys(of: entries) }
}

extension RemoteIdentity {
    /// The integrity keys among `entries`. Skips names of a different form, which systems and cloud services leave.
    static func keys(of entries: BackupEntries) -> Set<String> {
        var keys: Set<String> = []
        for position in entries.indices where entries.role(at: position) == .integrityKey {
            guard let name = entries.path(at: position).last, name.bytes.count >= 32,
                name.bytes.allSatisfy({ isHexadecimalDigit($0) || $0 == UInt8(ascii: "-") })
            else { continue }
            keys.insert(name.text)
        }
        return keys.isEmpty ? ["none"] : keys
    }
}
