import SystemCalls

/// The forms in which archives are written. Reading tells the form by the bytes, and knows more of them.
public enum ArchiveForm: String, Sendable, CaseIterable {
    /// A pax archive, compressed by zstd.
    case zstd
    /// A pax archive, compressed by xz.
    case xz
    /// A pax archive, compressed by gzip.
    case gzip
    case zip

    /// What the name of a file says: `.tar.xz`, `.txz`, `.tar.gz`, `.tgz`, `.zip`; all others are zstd.
    public init(ofName name: String) {
        let name = name.lowercased()
        self = Self.endings.first { ending in name.hasSuffix(ending.text) }?.form ?? .zstd
    }

    private static let endings: [(text: String, form: ArchiveForm)] = [
        (".xz", .xz), (".txz", .xz), (".gz", .gzip), (".tgz", .gzip), (".zip", .zip),
    ]

    /// How hard the compressor may try, from fast to small.
    public var levels: ClosedRange<Int> {
        switch self {
        case .zstd: 1...19
        case .xz, .zip: 0...9
        case .gzip: 1...9
        }
    }

    public var standardLevel: Int { self == .zstd ? 3 : 6 }

    /// Threads by default. Never one for xz: a single thread makes other bytes than several do, and an archive is to
    /// be the same wherever it is made.
    public var standardThreads: Int { self == .xz ? max(2, Cores.count) : Cores.count }
}
