import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Area 05, one damage in each test.
@Suite struct EncryptionFindingTests {
    private let salt = "Encryption/salt.ticdsync"
    private let test = "Encryption/test.ticdsync"

    @Test func saltWithoutTest() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        try remote.remove(test)
        #expect(try remote.headers().summary == ["TICDS-0501 \(salt)"])
        #expect(try remote.contents().summary == ["TICDS-0501 \(salt)"])
    }

    /// Encrypted files are not reported once more each.
    @Test func testWithoutSalt() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        try remote.remove(salt)
        let found = try remote.contents(keyring: RemoteKeyring(.plain))
        #expect(found.summary == ["TICDS-0502 \(test)"])
        #expect(found[0].affected.contains { $0.consequence == .exposes && $0.clients.count == 3 })
    }

    @Test func saltLength() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        try remote.damage(salt) { $0.removeLast() }
        let found = try remote.contents()
        #expect(found.summary == ["TICDS-0503 \(salt)"])
        #expect(found[0].found == "15")
    }

    @Test func plainFiles() throws {
        let remote = try CleanRemote(.encryptedAndZipped, changeSets: 3)
        let files = [
            remote.deviceInfo(), "Documents/cookbook/documentInfo.plist", try remote.changeSet(),
            remote.wholeStore(),
        ]
        for file in files { try remote.write(file, try remote.plain(file), encrypted: false) }
        let found = try remote.contents()
        #expect(Set(found.summary) == Set(files.map { "TICDS-0504 \($0)" }))
        #expect(found.summary.count == files.count)
        #expect(try Set(remote.headers().summary) == Set(found.summary))
        let set = try #require(found.first { $0.path.last?.text.hasSuffix("syncchg") == true })
        let blocked = try #require(set.affected.first { $0.consequence == .blocks })
        #expect(blocked.clients.map(\.text).sorted() == remote.clients.dropFirst().sorted())
        #expect(set.remedy(under: remote.root).contains { $0.contains("mv -n \(remote.root)") })
    }

    @Test func encryptedInPlain() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let key = SyncKey(password: "other", salt: [1, 2, 3])
        for file in [try remote.changeSet(), remote.wholeStore(), remote.deviceInfo()] {
            let secret = try EncryptedFile.encrypt(
                SharedBytes(try remote.plain(file)), with: key, path: FilePath(file))
            try remote.write(file, secret.array)
        }
        let expected = Set(
            [try remote.changeSet(), remote.wholeStore(), remote.deviceInfo()].map { "TICDS-0505 \($0)" })
        #expect(try Set(remote.headers().summary) == expected)
        #expect(try Set(remote.contents().summary) == expected)
    }

    @Test func anotherPassword() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        let key = SyncKey(password: "other", salt: [1, 2, 3])
        let file = try remote.changeSet()
        let secret = try EncryptedFile.encrypt(
            SharedBytes(try remote.plain(file)), with: key, path: FilePath(file))
        try remote.write(file, secret.array, encrypted: false)
        #expect(try remote.headers().isEmpty)
        #expect(try remote.contents().summary == ["TICDS-0506 \(file)"])
        #expect(try remote.contents(keyring: RemoteKeyring(.locked)).isEmpty)
    }

    @Test func impossibleSize() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        for (file, rest) in [(try remote.changeSet(), 200), (remote.wholeStore(), 30)] {
            try remote.damage(file) { $0.removeLast($0.count - rest) }
        }
        let expected = Set([try remote.changeSet(), remote.wholeStore()].map { "TICDS-0507 \($0)" })
        #expect(try Set(remote.headers().summary) == expected)
        #expect(try Set(remote.contents().summary) == expected)
    }

    @Test(.enabled(if: Python.available)) func oldHMAC() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        let key = try #require(remote.key).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let script = """
            import sys, hmac, os
            key, path = bytes.fromhex(sys.argv[1]), sys.argv[2]
            body = open(path, 'rb').read()[:-32]
            open(path, 'wb').write(body + hmac.new(key, body[16:], 'sha256').digest())
            """
        for file in [try remote.changeSet(), remote.wholeStore()] {
            #expect(Python.run(script, [key, remote.path(file).string]) != nil)
        }
        let expected = Set([try remote.changeSet(), remote.wholeStore()].map { "TICDS-0508 \($0)" })
        #expect(try Set(remote.contents().summary) == expected)
    }

    @Test func encryptedRegister() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        try remote.write(remote.register(), try remote.plain(remote.register()))
        let found = try remote.contents()
        #expect(found.summary == ["TICDS-0510 \(remote.register())"])
        #expect(try remote.headers().summary == found.summary)
        #expect(found[0].affected == [Affected(.appliedTwice, clients: [], newClients: true)])
    }
}
