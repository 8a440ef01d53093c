import CGcrypt

/// libgcrypt, the library with the digests and the cipher.
public enum Gcrypt {
    /// The version of the loaded library.
    public static var version: String { gcry_check_version(nil).map { String(cString: $0) } ?? "unknown" }

    /// Initialises the library at its first use.
    static let start: Void = ticds_gcrypt_start()
}

/// An error of libgcrypt, in practice for a length that is not a multiple of the block size, or for a lack of memory.
public struct CryptographyError: Error, CustomStringConvertible {
    public let description: String

    init(description: String) { self.description = description }

    private init(_ code: gcry_error_t) {
        description = gcry_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Throws unless `code` means success.
    static func check(_ code: gcry_error_t) throws(CryptographyError) {
        if code != 0 { throw CryptographyError(code) }
    }
}
