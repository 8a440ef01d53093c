import CGcrypt

/// The library behind the digests and the cipher: libgcrypt.
public enum Gcrypt {
    /// Its version, as loaded.
    public static var version: String { gcry_check_version(nil).map { String(cString: $0) } ?? "unknown" }

    /// Makes the library ready; the first call does it.
    static let start: Void = ticds_gcrypt_start()
}

/// What the library refuses: in practice a length that is not a number of whole blocks, or memory that ran out.
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
