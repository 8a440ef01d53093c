import Base
public import SystemPackage

/// The kind, by its first bytes, of a file that a user took for a store, a change set or a remote: for errors.
public struct ForeignContent: Sendable {
    /// The kind in words, such as "a zip archive".
    public let name: String
    /// The advice on it, in one sentence without a full stop.
    public let advice: String

    /// Whether the file may be an archive of a remote.
    public var isArchive: Bool { isOwnArchive || advice.hasPrefix(Self.archive) }

    /// Whether the file is an archive that ticds wrote.
    public var isOwnArchive: Bool { advice == Self.own }

    /// The number of first bytes that are enough.
    public static let headSize = 512

    /// - Parameter head: the first bytes. The result is nil for an unknown kind.
    public init?(head: [UInt8]) {
        guard
            let kind = Self.kinds.first(where: { kind in
                kind.signs.contains { head.dropFirst(kind.offset).starts(with: $0) }
            })
        else {
            guard Self.isText(head) else { return nil }
            self.init("text", "Name a remote, a store or a model; this is none of them")
            return
        }
        self.init(kind.name, kind.advice)
    }

    private init(_ name: String, _ advice: String) {
        self.name = name
        self.advice = advice
    }

    /// The kind of a file; nil for an unknown kind, and for a file that cannot be read.
    public static func of(_ path: FilePath) -> ForeignContent? {
        // try?: this only explains another error
        guard let status = try? FileStatus.of(path) else { return nil }
        guard status.kind == .folder else {
            guard let head = try? FileBytes.head(path, count: headSize) else { return nil }  // try?: as above
            return ForeignContent(head: head.array(0..<head.count))
        }
        guard (try? FileStatus.of(path.appending(".git"))) != nil else { return nil }  // try?: as above
        return ForeignContent("a git repository", "Name the file or folder in it that you mean")
    }

    private static let own =
        "ticds-archive verify checks it, ticds-archive list shows what is in it, and ticds-archive import restores it"
    private static let archive = "If ticds wrote it, " + own
    private static let manifest = Array("ticds-manifest.json".utf8)
    /// The offset of the name in the header of the first member of a zip.
    private static let zipName = 30
    private static let kinds: [(offset: Int, signs: [[UInt8]], name: String, advice: String)] = [
        (
            0, [Array("version https://git-lfs".utf8)], "a pointer of Git LFS, without the content",
            "Fetch the content with: git lfs pull"
        ),
        // The first member of an archive that ticds wrote.
        (zipName, [manifest], "a zip archive that ticds wrote", own),
        (0, [manifest], "a tar archive that ticds wrote", own),
        (
            0, [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]], "a zip archive",
            archive + "; otherwise unpack it with unzip"
        ),
        (
            0,
            [
                [0x28, 0xB5, 0x2F, 0xFD], [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], Array("BZh".utf8),
            ],
            "a compressed file", archive + "; otherwise unpack it with bsdtar"
        ),
        (257, [Array("ustar".utf8)], "a tar archive", archive + "; otherwise unpack it with tar"),
    ]

    /// Whether bytes are printable ASCII and UTF-8, in lines.
    private static func isText(_ head: [UInt8]) -> Bool {
        guard !head.isEmpty, !head.starts(with: Array("<?xml".utf8)), !head.starts(with: Array("bplist".utf8))
        else {
            return false
        }
        return head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }
            && head.count(where: { $0 < 0x80 }) * 4 > head.count * 3
    }
}
