import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import Testing
@testable import TICDSCore

/// Vectors of ticds-protocol(7), 3.2.
@Suite struct EncryptionTests {
    static let path = FilePath("/remote/deviceInfo.plist")
    static let salt = [UInt8](0..<16)
    static let key = SyncKey(password: "password", salt: salt)
    static let vector = hexadecimal(
        """
        000102030405060708090a0b0c0d0e0f12a8e05c2789ddcf0bc509df0bb51d8db2e2e3871ca66a0be41324071c78e69f\
        95b7d4c516865f757cde02d04f72a4256306591fda8ed859eaa8338d49065c6159489b8abcf7164fcec89f36c5174928\
        4a07fd19b86e31176cbf72f0f0315f96
        """)

    static func hexadecimal(_ text: String) -> [UInt8] {
        var rest = Substring(text)
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Bytes without nearby repetitions, of any length.
    static func plain(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
    }

    static func encrypted(_ plain: [UInt8]) throws -> [UInt8] {
        try EncryptedFile.encrypt(SharedBytes(plain), with: key, path: path).array
    }

    static func decrypted(
        _ bytes: [UInt8], key: SyncKey = key, form: EncryptedFile.HMACForm = .since2011June
    ) throws(FileProblem) -> [UInt8] {
        try EncryptedFile.decrypt(SharedBytes(bytes), with: key, path: path, form: form).array
    }

    @Test(arguments: [
        ("password", "5a464e608edb200f34a4b6878e977f8b32440556f6296e9c4a342ea09dfb998e"),
        ("päßwörd 🔑", "c9e788db00e5c365b751fae7a5428e0d48deef076bd90c8f975e263b86300333"),
        (
            "\u{3000}\u{85} \tpassword\r\n\u{2029}\u{A0}",
            "5a464e608edb200f34a4b6878e977f8b32440556f6296e9c4a342ea09dfb998e"
        ),
    ])
    func keyOfAPassword(_ password: String, _ expected: String) {
        #expect(SyncKey(password: password, salt: Self.salt).bytes == Self.hexadecimal(expected))
    }

    @Test func trimsOnlyTheEndsAndNoOtherInvisibleCharacters() {
        #expect(SyncKey.trimmed("\u{B}a b\u{C}") == "a b")
        #expect(SyncKey.trimmed("\u{200B}a\u{FEFF}\u{0}") == "\u{200B}a\u{FEFF}\u{0}")
        #expect(SyncKey.trimmed(" \n ") == "")
        #expect(Array(SyncKey.trimmed("a\u{308} ").unicodeScalars).count == 2)
    }

    @Test func saltOfAnyLengthIsUsed() {
        let keys = [[], [0], Self.salt, Self.salt + [0]].map { SyncKey(password: "password", salt: $0) }
        #expect(Set(keys).count == 4)
    }

    @Test func keySaysNothingAboutItself() {
        #expect("\(Self.key)" == "SyncKey")
        #expect(SyncKey(bytes: [1, 2, 3]) == nil)
        #expect(SyncKey(bytes: Self.key.bytes) == Self.key)
    }

    @Test func vectorDecrypts() throws {
        #expect(try Self.decrypted(Self.vector) == Array("TICoreDataSync".utf8))
    }

    @Test func vectorEncrypts() throws {
        let made = try EncryptedFile.encrypt(
            SharedBytes(Array("TICoreDataSync".utf8)), with: Self.key, vector: [UInt8](0...15),
            secret: [UInt8](16...63), path: Self.path)
        #expect(made.array == Self.vector)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 65_535, 65_536, 65_537, 131_072, 200_000])
    func everySizeComesBack(_ count: Int) throws {
        let plain = Self.plain(count)
        let file = try Self.encrypted(plain)
        #expect(file.count == EncryptedFile.size(ofPlain: count))
        #expect(try Self.decrypted(file) == plain)
    }

    @Test func neverTheSameTwice() throws {
        #expect(try Self.encrypted([1, 2, 3]) != Self.encrypted([1, 2, 3]))
    }

    @Test func refusesAFileCutAtAnyByte() throws {
        for length in 0..<Self.vector.count {
            let problem = #expect(throws: FileProblem.self) {
                try Self.decrypted(Array(Self.vector.prefix(length)))
            }
            #expect(problem?.kind == .damaged, "\(length) bytes")
        }
    }

    @Test func refusesAFlippedBitAtAnyByte() throws {
        for offset in Self.vector.indices {
            var bytes = Self.vector
            bytes[offset] ^= 1 << UInt8(offset % 8)
            let problem = #expect(throws: FileProblem.self) { try Self.decrypted(bytes) }
            #expect(problem?.kind == .wrongPassword, "byte \(offset)")
        }
    }

    @Test func refusesAnotherPassword() {
        let other = SyncKey(password: "Password", salt: Self.salt)
        let problem = #expect(throws: FileProblem.self) { try Self.decrypted(Self.vector, key: other) }
        #expect(problem?.kind == .wrongPassword)
        #expect(problem?.problem == "wrong password, or the file is damaged")
    }

    /// Files with a body of one block that ends in 0, 17 or a single 2, made with a different implementation.
    static let badlyPadded = [
        hexadecimal(
            """
            000102030405060708090a0b0c0d0e0f12a8e05c2789ddcf0bc509df0bb51d8db2e2e3871ca66a0be41324071c78e69f\
            95b7d4c516865f757cde02d04f72a425a6da5135495f9687ec2d53fd42ed7c1dfb2256e480afc3b57ec8163856e3bf85\
            218eff1df9beb60ef25e7b2b5ebfa664
            """),
        hexadecimal(
            """
            000102030405060708090a0b0c0d0e0f12a8e05c2789ddcf0bc509df0bb51d8db2e2e3871ca66a0be41324071c78e69f\
            95b7d4c516865f757cde02d04f72a425963b099cb13de45e105f052e26e4957102a653d2a858652b61868c9ffec666e1\
            023f8bbc39f87c1975ac89f6d9e11e5f
            """),
        hexadecimal(
            """
            000102030405060708090a0b0c0d0e0f12a8e05c2789ddcf0bc509df0bb51d8db2e2e3871ca66a0be41324071c78e69f\
            95b7d4c516865f757cde02d04f72a425cfa4a8188adf3bbed8cd9ef7bdca3231b8fe5af407d9d7724cebcfa4d8014847\
            8bd33e0ed6bc14964234cbbf52f987dc
            """),
    ]

    @Test(arguments: badlyPadded)
    func badPaddingBelowAGoodHMACIsDamage(_ file: [UInt8]) {
        let problem = #expect(throws: FileProblem.self) { try Self.decrypted(file) }
        #expect(problem?.kind == .damaged)
        #expect(problem?.offset == 64)
    }

    /// "TICoreDataSync" again, with an HMAC that omits the first 16 bytes; made with a different implementation.
    static let firstWeeks = hexadecimal(
        """
        000102030405060708090a0b0c0d0e0f12a8e05c2789ddcf0bc509df0bb51d8db2e2e3871ca66a0be41324071c78e69f\
        95b7d4c516865f757cde02d04f72a4256306591fda8ed859eaa8338d49065c61ca5449f17a7ddd01b79460e8715cc415\
        c2832acfd3eec51a3c58d460850faf6c
        """)

    @Test func formOfTheFirstWeeksOnlyWhenAskedFor() throws {
        #expect(try Self.decrypted(Self.firstWeeks, form: .before2011June) == Array("TICoreDataSync".utf8))
        #expect(throws: FileProblem.self) { try Self.decrypted(Self.firstWeeks) }
        #expect(throws: FileProblem.self) { try Self.decrypted(Self.vector, form: .before2011June) }
    }
}
