import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSVerification
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The result of planners and executor equals the framework's: name by name, byte by byte where that is determined,
/// with the times of copied files. Random values (integrity keys, initialisation vectors) and the times of new files
/// differ.
@Suite struct FrameworkEqualityTests {
    private static let second: RemoteName = "B2C0D0A4-0002-4A11-8E1D-0000000000BB"
    private static let third: RemoteName = "B2C0D0A4-0003-4A11-8E1D-0000000000CC"

    @Test(arguments: ["op-delete-client", "op-delete-client-encrypted"])
    func deletingAClient(name: String) throws {
        let pair = try SamplePair(name)
        try pair.run { try ClientDeletionPlanner($0).plan(Self.second, from: .document("doc-one-0001")) }
        try pair.expectEqual()
    }

    @Test func deletingAnUnknownClientDoesNothing() throws {
        let pair = try SamplePair("op-delete-client-unknown")
        let plan = try ClientDeletionPlanner(pair.planned()).plan("unknown", from: .document("doc-one-0001"))
        #expect(plan.actions.isEmpty)
        try pair.expectEqual()
    }

    @Test(arguments: ["op-delete-document", "op-delete-document-encrypted"])
    func deletingADocument(name: String) throws {
        let pair = try SamplePair(name)
        try pair.run { try DocumentDeletionPlanner($0).plan("doc-one-0001") }
        try pair.expectEqual()
    }

    @Test(arguments: ["op-register-client", "op-register-client-encrypted"])
    func registeringAClient(name: String) throws {
        let pair = try SamplePair(name)
        let device = DeviceInfo(description: "A new device", identifier: "NEW-CLIENT-0001")
        try pair.run { try RegistrationPlanner($0, command: "test").plan(registering: device) }
        try pair.expectEqual(new: ["ClientDevices/NEW-CLIENT-0001/deviceInfo.plist"])
    }

    @Test(arguments: [
        ("op-join-document", third, "doc-one-0001"), ("op-rejoin-after-removal", second, "doc-two-0002"),
    ])
    func joiningADocument(name: String, client: RemoteName, document: RemoteName) throws {
        let pair = try SamplePair(name)
        try pair.run {
            try RegistrationPlanner($0, command: "test").plan(
                registering: DeviceInfo(description: nil, identifier: client.text), joining: document)
        }
        try pair.expectEqual()
    }

    /// A removed client comes back as one that registers again, if the trash contains nothing of it.
    @Test func restoringAClient() throws {
        let pair = try SamplePair("op-rejoin-after-removal")
        try pair.run {
            try ClientRestorePlanner($0, trash: TrashedEntries()).plan(Self.second, in: "doc-two-0002")
        }
        try pair.expectEqual()
    }

    /// The planner does not make the whole store that the creator uploads afterwards.
    @Test(arguments: [
        ("op-create-document", "new-doc-0001", "New document", "B2C0D0A4-0001-4A11-8E1D-0000000000AA"),
        ("op-recreate-deleted-document", "doc-three-0003", "Again", third.text),
    ])
    func creatingADocument(name: String, document: String, description: String, device: String) throws {
        let pair = try SamplePair(name)
        var new = DocumentCreationPlanner.NewDocument(
            identifier: RemoteName(document), description: description, originalDevice: RemoteName(device),
            integrityKey: SamplePair.key)
        // The framework ran with a description that differs from the registered one.
        new.originalDeviceDescription = device + "'s Mac"
        try pair.run { try DocumentCreationPlanner($0).plan(new) }
        try pair.run {
            try RegistrationPlanner($0, command: "test").plan(
                registering: DeviceInfo(description: nil, identifier: device),
                joining: RemoteName(document))
        }
        let folder = "Documents/\(document)/"
        try pair.expectEqual(
            new: [folder + "documentInfo.plist", folder + "IntegrityKey/\(SamplePair.key)"],
            without: [folder + "WholeStore/\(device)", folder + "TemporaryFiles/WholeStore/\(device)"])
    }
}

/// A pair of remotes: before and after one operation of the framework.
struct SamplePair {
    /// A name that represents every integrity key.
    static let key: RemoteName = "THE-INTEGRITY-KEY"

    let sample: SampleRemote
    let before: FilePath
    let after: FilePath
    private let home: TemporaryFolder

    init(_ name: String) throws {
        sample = try SampleRemote(name)
        before = try RemoteLocation.find(sample.parent("before"))
        after = try RemoteLocation.find(sample.parent("after"))
        home = try TemporaryFolder(prefix: "ticds-state")
    }

    var root: FilePath { (try? before.resolved()) ?? before }

    func keyring(_ root: FilePath) throws -> RemoteKeyring {
        try PasswordCheck.open(LocalStorage(root: root)) { "correct horse" }
    }

    func planned() throws -> PlannedRemote {
        let storage = LocalStorage(root: root)
        return try PlannedRemote(
            root: root, storage, try RemoteSnapshot.take(storage), keyring: try keyring(root))
    }

    /// Changes the remote of before the operation.
    func run(_ plan: (PlannedRemote) throws -> Plan) throws {
        let plan = try plan(planned())
        #expect(!plan.actions.isEmpty)
        let state = RemoteState(root: root, stateHome: home.path)
        _ = try Executor(state).run(plan)
    }

    /// Compares the changed remote with the one after the operation, and verifies it.
    /// - Parameters:
    ///   - new: files that the operation wrote: compared by their plain bytes, times left out.
    ///   - without: what is only in the remote after.
    func expectEqual(new: Set<String> = [], without: [String] = []) throws {
        let mine = try contents(of: before, new)
        let expected = try contents(of: after, new).filter { path, _ in
            !without.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        #expect(Set(mine.keys) == Set(expected.keys))
        for (path, content) in expected { #expect(mine[path] == content, "\(path)") }
        let storage = LocalStorage(root: root)
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: try keyring(root),
            now: FileTime(seconds: 1_800_000_000))
        let report = Verifier(context).verify().report
        #expect(report.isComplete)
        #expect(report.findings.filter { $0.kind.severity == .error } == [])
    }

    private struct Content: Equatable {
        var kind: FileKind
        var bytes: [UInt8]
        var modified: FileTime?
    }

    private func contents(of root: FilePath, _ new: Set<String>) throws -> [String: Content] {
        let keyring = try keyring(root)
        let tree = try RemoteSnapshot.take(LocalStorage(root: root)).tree
        var contents: [String: Content] = [:]
        for (folder, listing) in tree.folders {
            for entry in listing {
                let path = folder.appending(entry.name)
                let isNewKey =
                    folder.last == RemoteLayout.integrityKey && new.contains("\(folder.text)/\(Self.key)")
                let name = isNewKey ? "\(folder.text)/\(Self.key)" : path.text
                let file = path.filePath(under: root)
                var content = Content(kind: entry.kind, bytes: [], modified: nil)
                if entry.kind == .file {
                    let bytes = try FileBytes.read(file)
                    content.bytes =
                        new.contains(name) ? try keyring.plainBytes(bytes, path: file).array : bytes.array
                    if isNewKey { content.bytes = try archived(bytes) }
                    if !new.contains(name) { content.modified = entry.modified }
                }
                contents[name] = content
            }
        }
        return contents
    }

    /// The content of a keyed archive, without the order of its objects, which does not matter.
    private func archived(_ bytes: SharedBytes) throws -> [UInt8] {
        let archive = try KeyedArchiveReader(bytes)
        return Array("\(try archive.value(of: archive.root()))".utf8)
    }
}
