import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Remotes that the framework encrypted.
@Suite struct EncryptionSamplesTests {
    @Test(arguments: ["enc-multi", "enc-trimmed-password"])
    func everyFileComesOutAsItWentIn(_ name: String) throws {
        let remote = try DescribedRemote(name)
        let keyring = try remote.keyring()
        #expect(keyring.key?.bytes == EncryptionTests.hexadecimal(try #require(remote.key)))
        #expect(keyring.state == keyring.key.map { .checked($0) })
        var count = 0
        for (name, entry) in remote.files where entry.encrypted {
            let path = DescribedRemote.path(name)
            let before = try remote.storage.status(of: path)
            let plain = try keyring.read(remote.storage, path)
            #expect(
                try DescribedRemote.sha256(plain.array, in: remote.folder.path)
                    == entry.plainSha256, "\(name)")
            #expect(try remote.storage.status(of: path) == before)
            count += 1
            var streamed: [UInt8] = []
            try EncryptedFile.decrypt(
                RangeReader(remote.storage, path), with: try #require(keyring.key), budget: 0
            ) {
                streamed += $0
            }
            #expect(streamed == plain.array, "\(name)")
        }
        #expect(count > 1)
    }

    @Test func wrongPasswordIsRefused() throws {
        let storage = try DescribedRemote("enc-multi")
        let problem = #expect(throws: FileProblem.self) {
            try PasswordCheck.open(storage.storage) { () throws(FileProblem) in "correct hors" }
        }
        #expect(problem?.kind == .wrongPassword)
        #expect(problem?.problem == "the password does not open this remote")
    }

    @Test func withoutPasswordTheKeyringIsLocked() throws {
        let remote = try DescribedRemote("enc-multi")
        let keyring = try PasswordCheck.open(remote.storage) { () throws(FileProblem) in nil }
        #expect(keyring.state == .locked)
        let name = try #require(remote.files.first { $0.value.encrypted }?.key)
        let problem = #expect(throws: FileProblem.self) {
            try keyring.read(remote.storage, DescribedRemote.path(name))
        }
        #expect(problem?.kind == .encrypted)
    }

    @Test func deviceInfoServesWhereTheTestFileIsGone() throws {
        let remote = try DescribedRemote("enc-multi")
        let test = remote.root.appending("Encryption").appending("test.ticdsync")
        #expect(removeFile(test))
        #expect(try remote.keyring().isChecked)
        let info = try #require(remote.files.keys.first { $0.hasSuffix("deviceInfo.plist") })
        let right = try PasswordCheck.open(remote.storage, others: [DescribedRemote.path(info)]) {
            () throws(FileProblem) in "correct horse"
        }
        #expect(right.isChecked)
        #expect(throws: FileProblem.self) {
            try PasswordCheck.open(remote.storage, others: [DescribedRemote.path(info)]) {
                () throws(FileProblem) in "wrong"
            }
        }
    }

    @Test func saltThatIsMissingEmptyOrAFolder() throws {
        let remote = try DescribedRemote("enc-multi")
        let salt = remote.root.appending("Encryption").appending("salt.ticdsync")
        #expect(try PasswordCheck.salt(of: remote.storage)?.count == 16)
        #expect(removeFile(salt))
        #expect(try PasswordCheck.salt(of: remote.storage) == nil)
        let contradiction = #expect(throws: FileProblem.self) { try remote.keyring() }
        #expect(contradiction?.finding == "TICDS-0502")
        try write([], to: salt)
        #expect(throws: FileProblem.self) { try PasswordCheck.salt(of: remote.storage) }
        #expect(removeFile(salt))
        try makeFolder(salt)
        let problem = #expect(throws: FileProblem.self) { try PasswordCheck.salt(of: remote.storage) }
        #expect(problem?.kind == .damaged)
    }

    @Test func aDamagedFileIsNotBlamedOnThePassword() throws {
        let remote = try DescribedRemote("enc-multi")
        let name = try #require(remote.files.first { $0.value.encrypted }?.key)
        var bytes = try remote.storage.read(DescribedRemote.path(name)).array
        bytes[70] ^= 1
        let keyring = try remote.keyring()
        let problem = #expect(throws: FileProblem.self) {
            try keyring.plainBytes(SharedBytes(bytes), path: EncryptionTests.path)
        }
        #expect(problem?.kind == .damaged)
    }
}

extension RemoteKeyring {
    var isChecked: Bool { if case .checked = state { true } else { false } }
}
