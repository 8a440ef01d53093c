import Base
import SystemCalls
package import SystemPackage
import TICDSCore

/// The commands of other programs that extract the most files from a damaged archive.
package struct ArchiveSalvage: Sendable {
    private enum Program {
        /// Continues after wrong checksums of gzip. Stops at a damaged header, and, after a decompressor, some blocks
        /// before the end of a truncated file.
        case bsdtar
        /// Both bsdtar(1) and tar(1). tar(1) finds the next header after a damaged one, and stops some blocks before
        /// the end of a truncated file, which bsdtar(1) has written.
        case both
        /// tar(1), after a decompressor that writes everything before the damage.
        case tarAfter(String)
        /// Needs the directory at the end of a zip, and then extracts every intact member.
        case unzip
    }

    private let program: Program

    /// - Parameters:
    ///   - head: the first four bytes of the archive.
    ///   - isReadToEnd: whether libarchive could read it to its end.
    static func ofTar(_ head: [UInt8], isReadToEnd: Bool) -> ArchiveSalvage {
        let decompressors: [(sign: [UInt8], name: String)] = [
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x1F, 0x8B], "gzip"), ([0xFD, 0x37, 0x7A, 0x58], "xz"),
            (Array("BZh".utf8), "bzip2"),
        ]
        guard let name = decompressors.first(where: { head.starts(with: $0.sign) })?.name else {
            return ArchiveSalvage(program: .both)
        }
        return ArchiveSalvage(program: name == "gzip" && isReadToEnd ? .bsdtar : .tarAfter("\(name) -dc"))
    }

    static func ofZip(hasDirectory: Bool) -> ArchiveSalvage {
        ArchiveSalvage(program: hasDirectory ? .unzip : .bsdtar)
    }

    /// The command that extracts all readable files of the archive at `path`, except its manifest.
    package func unpacking(_ path: FilePath) -> String {
        let file = Self.word(path)
        return switch program {
        case .bsdtar: "mkdir rescued && bsdtar -xf \(file) -C rescued"
        case .both:
            "mkdir rescued && bsdtar -xf \(file) -C rescued; tar --skip-old-files -xf \(file) -C rescued"
        case .tarAfter(let command): "mkdir rescued && \(command) \(file) | tar -xf - -C rescued"
        case .unzip: "mkdir rescued && unzip -q \(file) -d rescued"
        }
    }

    /// The command that prints the names and sizes of all readable members of the archive at `path`.
    package func listing(_ path: FilePath) -> String {
        let file = Self.word(path)
        return switch program {
        case .bsdtar: "bsdtar -tvf \(file)"
        case .both: "tar -tvf \(file)"
        case .tarAfter(let command): "\(command) \(file) | tar -tvf -"
        case .unzip: "unzip -l \(file)"
        }
    }

    private static func word(_ path: FilePath) -> String { path == "-" ? "FILE" : ShellWord.quoted(path) }
}
