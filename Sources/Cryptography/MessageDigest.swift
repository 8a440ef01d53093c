import CGcrypt

/// A digest that grows with the bytes it is given. A copy goes on by itself.
struct MessageDigest {
    private var context: Context
    private let size: Int

    /// - Parameters:
    ///   - algorithm: one that the library has, so that this cannot fail but for memory.
    ///   - key: of an HMAC; nil for the plain digest.
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

    /// The digest of all bytes so far; more can follow.
    var value: [UInt8] {
        let end = Context(copying: context)
        return Array(UnsafeBufferPointer(start: gcry_md_read(end.handle, 0), count: size))
    }

    private final class Context {
        let handle: gcry_md_hd_t

        init(_ algorithm: CInt, _ key: [UInt8]?) {
            var new: gcry_md_hd_t?
            let flags = key == nil ? 0 : GCRY_MD_FLAG_HMAC.rawValue
            guard gcry_md_open(&new, algorithm, flags) == 0, let new else {
                preconditionFailure("no memory for a digest")
            }
            if let key { gcry_md_setkey(new, key, key.count) }
            handle = new
        }

        init(copying other: Context) {
            var new: gcry_md_hd_t?
            guard gcry_md_copy(&new, other.handle) == 0, let new else {
                preconditionFailure("no memory for a digest")
            }
            handle = new
        }

        deinit { gcry_md_close(handle) }
    }
}
