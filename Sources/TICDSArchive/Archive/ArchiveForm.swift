/// The forms in which archives are written. Reading tells the form by the bytes, and knows more of them.
public enum ArchiveForm: String, Sendable, CaseIterable {
    /// A pax archive, compressed by zstd.
    case zstd
    /// A pax archive, compressed by xz.
    case xz
    /// A pax archive, compressed by gzip.
    case gzip
    /// A zip.
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

    /// The level of compression that is used where none is asked for.
    public var standardLevel: Int { self == .zstd ? 3 : 6 }

    /// Bytes of a pax archive that are compressed by themselves, so that several threads can work: at least as much as the
    /// compressor looks back, and where it is fast, no more than is near a processor. Whoever changes it changes the bytes
    /// of archives.
    func pieceSize(level: Int) -> Int {
        switch self {
        case .zstd: level < 4 ? 2 << 20 : level < 10 ? 4 << 20 : 24 << 20
        case .xz: 24 << 20
        case .gzip, .zip: 4 << 20
        }
    }
}
