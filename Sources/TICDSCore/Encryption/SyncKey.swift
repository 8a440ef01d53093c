import Cryptography

/// The key of an encrypted remote: 32 bytes made of the password and the remote's salt (ticds-protocol(7), 3.1).
///
/// One key serves the whole remote. It wraps the random key of each file and authenticates the file.
public struct SyncKey: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the key, for tests and tools; they open every file of the remote.
    public let bytes: [UInt8]

    /// Length of a key in bytes.
    public static let size = 32

    /// Number of SHA-256 calls between password and key.
    static let rounds = 7_500

    /// Derives the key. White space at both ends of the password is left out, as the framework does; no Unicode normal
    /// form is applied, so that the same letters typed in a different form give a different key.
    /// - Parameters:
    ///   - password: as the user typed it.
    ///   - salt: the content of `Encryption/salt.ticdsync`, of any length.
    public init(password: String, salt: [UInt8]) {
        var input: [UInt8] = []
        for unit in Self.trimmed(password).utf16 {
            input.append(UInt8(truncatingIfNeeded: unit))
            input.append(UInt8(truncatingIfNeeded: unit >> 8))
        }
        bytes = SHA256.hash(input + salt, rounds: Self.rounds)
    }

    /// A key that was derived earlier; nil unless it has 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// The password without white space at its ends: Unicode separators, U+0009 to U+000D and U+0085.
    public static func trimmed(_ password: String) -> String {
        let scalars = password.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isWhiteSpace($0) }),
            let last = scalars.lastIndex(where: { !isWhiteSpace($0) })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }

    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// A text without the key, so that no log can contain it.
    public var description: String { "SyncKey" }
}
