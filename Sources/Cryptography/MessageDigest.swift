import CGcrypt

/// A digest of data that comes in pieces. A copy continues independently.
struct MessageDigest {
    private var context: Context
    private let size: Int

    /// - Parameters:
    ///   - algorithm: SHA-256 or SHA-512, which every build of libgcrypt has.
    ///   - key: the key of an HMAC; nil for a plain digest.
    init(_ algorithm: gcry_md_algos, key: [UInt8]? = nil) {
        Gcrypt.start
        let name = CInt(bitPattern: algorithm.rawValue)
        context = Context(name, key)
        size = Int(gcry_md_get_algo_dlen(name))
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        gcry_md_write(context.handle, bytes.baseAddress, bytes.count)
    }

    /// The digest of the data so far; more data can follow.
    var value: [UInt8] {
        let end = Context(copying: context)
        return Array(UnsafeBufferPointer(start: gcry_md_read(end.handle, 0), count: size))
    }

    private final class Context {
        let handle: gcry_md_hd_t

        init(_ algorithm: CInt, _ key: [UInt8]?) {
            let flags = key == nil ? 0 : GCRY_MD_FLAG_HMAC.rawValue
            handle = Self.opened { gcry_md_open(&$0, algorithm, flags) }
            if let key { gcry_md_setkey(handle, key, key.count) }
        }

        init(copying other: Context) { handle = Self.opened { gcry_md_copy(&$0, other.handle) } }

        /// Does not depend on the data. It fails only without memory for some hundred bytes, which would end any Swift
        /// program.
        private static func opened(_ open: (inout gcry_md_hd_t?) -> gcry_error_t) -> gcry_md_hd_t {
            var new: gcry_md_hd_t?
            guard open(&new) == 0, let new else { preconditionFailure("no memory for a digest") }
            return new
        }

        deinit { gcry_md_close(handle) }
    }
}
