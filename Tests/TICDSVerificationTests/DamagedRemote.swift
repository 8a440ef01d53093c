import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// A copy of a clean remote that is damaged and checked by names alone. Copying takes less time than building.
///
/// The three clients have 25, 8 and 3 change sets in `cookbook`; all 12 of `pantry` are the first client's.
final class DamagedRemote: Sendable {
    private static let plain = Result { try CleanRemote(.plain, changeSets: 36) }
    private static let encrypted = Result { try CleanRemote(.encrypted, changeSets: 36) }

    let clean: CleanRemote
    private let folder: TemporaryFolder
    let root: FilePath
    var clients: [String] { clean.clients }
    var storage: LocalStorage { LocalStorage(root: root) }

    init(encrypted: Bool = false) throws {
        clean = try (encrypted ? Self.encrypted : Self.plain).get()
        folder = try TemporaryFolder(prefix: "ticds-damaged")
        root = folder.path.appending("com.example.cookbook")
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        copying.arguments = ["cp", "-a", clean.root.string, root.string]
        try copying.run()
        copying.waitUntilExit()
        #expect(copying.terminationStatus == 0)
    }

    func path(_ inside: String) -> FilePath { root.pushing(FilePath(inside)) }

    /// The paths of a client's change sets, sorted by name.
    func changeSets(of client: Int, in document: String = "cookbook") throws -> [String] {
        try clean.changeSets(of: clients[client], in: document)
            .map { "Documents/\(document)/SyncChanges/\(clients[client])/\($0)" }
    }

    /// Writes a file and the folders above it.
    func write(_ inside: String, _ text: String = "xx", time: Int64 = 1_380_000_000) throws {
        try TestFiles.makeFolders(path(inside).removingLastComponent())
        try TestFiles.write(path(inside), Array(text.utf8))
        try TestFiles.setTime(path(inside), FileTime(seconds: time))
    }

    /// Replaces a file by a hole of this size, with the same time.
    func hole(_ inside: String, _ size: Int64) throws {
        let time = try FileStatus.of(path(inside)).modified
        let file = try FileDescriptor.open(path(inside), .readWrite)
        try file.closeAfter {
            try file.resize(to: 0)
            try file.resize(to: size)
        }
        try setTime(inside, time)
    }

    func makeFolder(_ inside: String) throws { try TestFiles.makeFolders(path(inside)) }

    func remove(_ inside: String) throws { try TestFiles.removeTree(path(inside)) }

    func setTime(_ inside: String, _ time: FileTime) throws { try TestFiles.setTime(path(inside), time) }

    func copy(_ inside: String, to copy: String) throws {
        let time = try FileStatus.of(path(inside)).modified
        try TestFiles.makeFolders(path(copy).removingLastComponent())
        try TestFiles.write(path(copy), try FileBytes.read(path(inside)).array)
        try TestFiles.setTime(path(copy), time)
    }

    /// Runs the commands of a finding's remedy, with a separate home.
    func run(_ finding: Finding) throws {
        let commands = finding.remedy(under: root).filter { $0.first?.isUppercase == false }
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", commands.joined(separator: "\n")]
        shell.environment = ["HOME": folder.path.string, "PATH": "/usr/bin:/bin"]
        try shell.run()
        shell.waitUntilExit()
    }

    func context(now: FileTime = FileTime(seconds: 1_400_000_000)) throws -> VerificationContext {
        VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: clean.keyring, now: now)
    }

    func findings(now: FileTime = FileTime(seconds: 1_400_000_000)) throws -> [Finding] {
        ListingCheck.findings(try context(now: now))
    }
}

/// One damage, and the only finding that it must give. In paths `<0>` means the first client, and so on.
struct Damage: Sendable, CustomTestStringConvertible {
    let code: String
    let path: String
    let isEncrypted: Bool
    let affected: [Affected]?
    let inflict: @Sendable (DamagedRemote) throws -> Void
    var testDescription: String { code + " " + path }

    /// - Parameter affected: consequences with the numbers of the clients; nil if the test does not specify them.
    init(
        _ code: String, _ path: String, encrypted: Bool = false,
        _ affected: [(Effect.Consequence, [Int], Bool)]? = nil,
        _ inflict: @escaping @Sendable (DamagedRemote) throws -> Void
    ) {
        self.code = code
        self.path = path
        isEncrypted = encrypted
        self.inflict = inflict
        self.affected = affected.map { list in
            list.map { consequence, clients, newClients in
                Affected(consequence, clients: clients.map { RemoteName("<\($0)>") }, newClients: newClients)
            }
        }
    }

    /// Inflicts the damage and expects its finding and no other.
    func check() throws {
        let remote = try DamagedRemote(encrypted: isEncrypted)
        try inflict(remote)
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-" + code], "\(findings.map(\.path.text))")
        guard let finding = findings.first else { return }
        #expect(finding.path.text == Self.named(path, remote))
        if let affected {
            #expect(
                finding.affected.map { Self.described($0, remote) }
                    == affected.map { Self.described($0, remote) })
        }
        for line in finding.remedy(under: remote.root) {
            #expect(!line.contains("{file}") && !line.contains("{subject}"), "\(line)")
        }
    }

    static func named(_ text: String, _ remote: DamagedRemote) -> String {
        remote.clients.enumerated().reduce(text) {
            $0.replacingOccurrences(of: "<\($1.offset)>", with: $1.element)
        }
    }

    private static func described(_ affected: Affected, _ remote: DamagedRemote) -> String {
        let clients = affected.clients.map { named($0.text, remote) }.sorted()
        return "\(affected.consequence) \(clients) \(affected.newClients)"
    }
}

extension DamagedRemote {
    func rename(_ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: path(old).string, toPath: path(new).string)
    }
}
