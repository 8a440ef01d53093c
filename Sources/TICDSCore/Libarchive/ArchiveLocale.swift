import CArchive

/// libarchive converts names through the locale of the calling thread, and in the C locale, where a Swift program
/// starts, it fails or crashes on names beyond ASCII. Every call to it belongs in here.
package enum ArchiveLocale {
    /// Runs `body` with C.UTF-8 as the locale of this thread only.
    package static func run<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let utf8 else { return try body() }
        let before = uselocale(utf8)
        defer { _ = uselocale(before) }
        return try body()
    }

    /// Made once and never freed or changed.
    nonisolated(unsafe) private static let utf8: locale_t? =
        newlocale(characterTypeMask, "C.UTF-8", nil) ?? newlocale(characterTypeMask, "en_US.UTF-8", nil)

    private static let characterTypeMask = LC_CTYPE_MASK
}
