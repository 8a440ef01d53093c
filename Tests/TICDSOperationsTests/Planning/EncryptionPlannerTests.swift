import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Remotes of the framework with a changed password, decrypted, and encrypted.
@Suite struct EncryptionPlannerTests {
    private func plan(
        _ storage: LocalStorage, _ goal: EncryptionPlanner.Goal, old: SyncKey?, skipping: Bool = false
    ) throws -> Plan {
        let snapshot = try RemoteSnapshot.take(storage)
        let census =
            old.map { EncryptionCensus(snapshot, storage, key: $0, form: .since2011June) }
            ?? EncryptionCensus(ofPlain: snapshot, storage)
        let names = ClientNames(["B2C0D0A4-0001-4A11-8E1D-0000000000AA": "Anna's Mac"])
        let listed = try ListedRemote(
            root: try #require(try storage.root.resolved()), snapshot, names: names)
        let change = try EncryptionPlanner(of: listed, goal, census: census)
        return try change.plan(command: "test", skippingUnreadable: skipping)
    }

    /// Every file except salt and test file: kind, time and decrypted content.
    private struct Picture: Equatable {
        var files: [RemotePath: [UInt8]] = [:]
        var times: [RemotePath: FileTime] = [:]

        init(_ storage: LocalStorage, _ keyring: RemoteKeyring) throws {
            var paths: [RemotePath] = []
            let tree = try RemoteSnapshot.take(storage).tree
            tree.forEachFile(below: .root) { paths.append($0.path) }
            for path in paths where path.parent != ["Encryption"] {
                let raw = try storage.read(path)
                let isPlain = PlainSignature(raw) != nil || path == ["ReadMe.txt"]
                files[path] = try (isPlain ? raw : keyring.read(storage, path)).array
                times[path] = tree[path].part?.modified
            }
            for (folder, listing) in tree.folders where folder != ["Encryption"] {
                for entry in listing where entry.kind == .folder && entry.name != "Encryption" {
                    times[folder.appending(entry.name)] = entry.modified
                }
            }
        }
    }

    @Test(arguments: ["enc-multi", "enc-trimmed-password"])
    func changesThePassword(_ name: String) throws {
        let remote = try DescribedRemote(name)
        let keyring = try remote.keyring()
        let before = try Picture(remote.storage, keyring)
        let raw = try TreeImage(of: remote.root).withoutIdentity
        let secret = try EncryptionSecret(password: "  new horse \n")
        let plan = try plan(remote.storage, .changePassword(secret), old: keyring.key)
        #expect(
            plan.lines.prefix(2) == ["replace Encryption/test.ticdsync", "replace Encryption/salt.ticdsync"])
        #expect(plan.actions.count == remote.files.values.count { $0.encrypted } + 1)
        let carriedOut = try CarriedOut()
        let number = try carriedOut.run(plan, recoder: EncryptionRecoder(old: keyring.key, new: secret.key))
        let opened = try PasswordCheck.open(remote.storage) { () throws(FileProblem) in "new horse" }
        #expect(opened.state == .checked(secret.key))
        #expect(try Picture(remote.storage, opened) == before)
        for (name, entry) in remote.files where entry.encrypted && !name.contains("/Encryption/") {
            let path = DescribedRemote.path(name)
            let plain = try opened.read(remote.storage, path)
            let digest = try DescribedRemote.sha256(plain.array, in: carriedOut.home.path)
            #expect(digest == entry.plainSha256, "\(name)")
            #expect(throws: FileProblem.self) { try keyring.read(remote.storage, path) }
        }
        let test = try opened.read(remote.storage, ["Encryption", "test.ticdsync"])
        let reader = try KeyedArchiveReader(test)
        let text = try #require(try reader.value(of: try reader.root()).stringValue)
        #expect(text.hasPrefix("com.example.notes"))
        #expect(ArchivedUUID(text: String(text.dropFirst("com.example.notes".count))) != nil)
        try carriedOut.undo(number, of: plan.root)
        #expect(try TreeImage(of: remote.root).withoutIdentity == raw)
    }

    @Test(arguments: ["enc-multi", "enc-trimmed-password"])
    func decryptsAndEncryptsAgain(_ name: String) throws {
        let remote = try DescribedRemote(name)
        let keyring = try remote.keyring()
        let before = try Picture(remote.storage, keyring)
        let plan = try plan(remote.storage, .decrypt, old: keyring.key)
        #expect(plan.lines.suffix(2) == ["trash Encryption/salt.ticdsync", "trash Encryption/test.ticdsync"])
        let carriedOut = try CarriedOut()
        try carriedOut.run(plan, recoder: EncryptionRecoder(old: keyring.key, new: nil))
        let snapshot = try RemoteSnapshot.take(remote.storage)
        #expect(!snapshot.isEncrypted && snapshot.encryptionTest == nil)
        #expect(try Picture(remote.storage, RemoteKeyring(.plain)) == before)

        let secret = try EncryptionSecret(password: "päßwörd 🔑")
        let again = try self.plan(remote.storage, .encrypt(secret), old: nil)
        #expect(
            again.lines.prefix(2) == ["write Encryption/test.ticdsync", "write Encryption/salt.ticdsync"])
        try carriedOut.run(again, recoder: EncryptionRecoder(old: nil, new: secret.key))
        let opened = try PasswordCheck.open(remote.storage) { () throws(FileProblem) in "päßwörd 🔑" }
        #expect(opened.state == .checked(secret.key))
        #expect(try Picture(remote.storage, opened) == before)
        for (name, entry) in remote.files {
            let head = try remote.storage.head(DescribedRemote.path(name), count: PlainSignature.headSize)
            if entry.encrypted { #expect(PlainSignature(head) == nil, "\(name)") }
        }
    }

    /// Files that are never encrypted are not touched, neither their bytes nor their times.
    @Test func leavesTheRestAlone() throws {
        let remote = try DescribedRemote("enc-multi")
        let keyring = try remote.keyring()
        let secret = try EncryptionSecret(password: "new")
        let plan = try plan(remote.storage, .changePassword(secret), old: keyring.key)
        let touched = Set(plan.actions.map(\.kind.path))
        for (name, entry) in remote.files where !entry.encrypted {
            #expect(
                !touched.contains(DescribedRemote.path(name)) || name.hasSuffix("salt.ticdsync"), "\(name)")
        }
        #expect(plan.texts(.consequence).contains { $0.hasPrefix("Anna's Mac (B2C0D0A4-0001") })
        #expect(plan.texts(.warning).first?.contains("Close every client") == true)
    }

    @Test func refusesWhatDoesNotOpen() throws {
        let remote = try DescribedRemote("enc-multi")
        let keyring = try remote.keyring()
        let secret = try EncryptionSecret(password: "new")
        let damaged = try #require(remote.files.keys.filter { $0.hasSuffix("documentInfo.plist") }.min())
        let plain = try #require(remote.files.keys.filter { $0.hasSuffix("deviceInfo.plist") }.min())
        let paths = [damaged, plain].map { DescribedRemote.path($0) }
        var bytes = try remote.storage.read(paths[0]).array
        bytes[80] ^= 1
        try TestFiles.write(paths[0].filePath(under: remote.root), bytes)
        try TestFiles.write(paths[1].filePath(under: remote.root), Array("<?xml version=\"1.0\"?>".utf8))
        let problem = #expect(throws: FileProblem.self) {
            try plan(remote.storage, .changePassword(secret), old: keyring.key)
        }
        #expect(problem?.kind == .refused)
        for path in paths { #expect(problem?.found?.contains(path.text) == true) }
        let skipping = try plan(remote.storage, .changePassword(secret), old: keyring.key, skipping: true)
        let touched = Set(skipping.actions.map(\.kind.path))
        let kept = try JSONDecoder().decode([PlanNote].self, from: JSONEncoder().encode(skipping.notes))
        #expect(Set(kept.compactMap(\.leftOut)) == Set(paths))
        for path in paths {
            #expect(!touched.contains(path))
            #expect(skipping.texts(.warning).contains { $0.hasPrefix("\(path) stays as it is") })
        }
        // Anyone can have put an unencrypted file there.
        let decrypting = #expect(throws: FileProblem.self) {
            try plan(remote.storage, .decrypt, old: keyring.key)
        }
        for path in paths { #expect(decrypting?.found?.contains(path.text) == true) }
    }

    @Test func refusesTheWrongGoal() throws {
        let remote = try DescribedRemote("enc-multi")
        let secret = try EncryptionSecret(password: "new")
        let key = try remote.keyring().key
        #expect(throws: FileProblem.self) { try plan(remote.storage, .encrypt(secret), old: key) }
        let plain = try DescribedRemote("plain-multi")
        #expect(throws: FileProblem.self) { try plan(plain.storage, .decrypt, old: nil) }
        #expect(throws: FileProblem.self) { try plan(plain.storage, .changePassword(secret), old: nil) }
        #expect(throws: FileProblem.self) { try EncryptionSecret(password: " \t\n") }
    }

    /// A cloud service's copy of an encrypted file is recoded like the others; junk is left alone.
    @Test func copiesAndJunk() throws {
        let remote = try DescribedRemote("enc-multi")
        let keyring = try remote.keyring()
        let info = try #require(remote.files.keys.filter { $0.hasSuffix("deviceInfo.plist") }.min())
        let path = DescribedRemote.path(info)
        let copy = path.parent.appending("deviceInfo (1).plist")
        try TestFiles.write(copy.filePath(under: remote.root), try remote.storage.read(path).array)
        let junk = path.parent.appending(".DS_Store")
        try TestFiles.write(junk.filePath(under: remote.root), Array(repeating: 7, count: 4_096))
        let plan = try plan(remote.storage, .decrypt, old: keyring.key)
        let touched = Set(plan.actions.map(\.kind.path))
        #expect(touched.contains(copy) && touched.contains(path))
        #expect(!touched.contains(junk))
    }
}
