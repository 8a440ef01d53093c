/// The forms in which archives are written. A reader recognises the form by the bytes, and reads more forms.
public enum ArchiveForm: String, Sendable, CaseIterable {
    /// A pax archive, compressed by zstd.
    case zstd
    /// A pax archive, compressed by xz.
    case xz
    /// A pax archive, compressed by gzip.
    case gzip
    /// A zip.
    case zip

    /// The form for the name of a file: `.tar.xz`, `.txz`, `.tar.gz`, `.tgz`, `.zip`; zstd for all other names.
    public init(ofName name: String) {
        let name = name.lowercased()
        self = Self.endings.first { ending in name.hasSuffix(ending.text) }?.form ?? .zstd
    }

    private static let endings: [(text: String, form: ArchiveForm)] = [
        (".xz", .xz), (".txz", .xz), (".gz", .gzip), (".tgz", .gzip), (".zip", .zip),
    ]

    /// The levels of compression, from fast to small.
    public var levels: ClosedRange<Int> {
        switch self {
        case .zstd: 1...19
        case .xz, .zip: 0...9
        case .gzip: 1...9
        }
    }

    /// The level of compression that is used by default.
    public var standardLevel: Int { self == .zstd ? 3 : 6 }

    /// Bytes of a pax archive that are compressed separately, so that several threads can work: at least the window of the
    /// compressor, and for fast levels no more than fits into the cache of a processor. Another size changes the bytes of
    /// archives.
    func pieceSize(level: Int) -> Int {
        switch self {
        case .zstd: level < 4 ? 2 << 20 : level < 10 ? 4 << 20 : 24 << 20
        case .xz: 24 << 20
        case .gzip, .zip: 4 << 20
        }
    }

    /// The suffix of the names of dated archives.
    public var ending: String {
        switch self {
        case .zstd: ".tar.zst"
        case .xz: ".tar.xz"
        case .gzip: ".tar.gz"
        case .zip: ".zip"
        }
    }
}
