import Base
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// Flipped bits in a manifest: it is never read as a different one.
@Suite struct ManifestDigestTests {
    private let scratch: TemporaryFolder
    private let root: FilePath

    init() throws {
        scratch = try TemporaryFolder(prefix: "ticds-test")
        root = scratch.path.appending("com.example.app")
        try TestFiles.makeFolder(root)
        for number in 0..<40 {
            try NewFile.write(
                [UInt8(number)], to: root.appending("file-\(number)"),
                modified: FileTime(seconds: Int64(1_367_000_000 + 977 * number)))
        }
    }

    private func export(_ form: ArchiveForm) throws -> (manifest: ArchiveManifest, bytes: [UInt8]) {
        let file = scratch.path.appending("archive")
        let exporter = ArchiveExporter(LocalStorage(root: root), .init(form: form, program: "test"))
        let manifest = try ArchiveFile.export(exporter, to: file, isReplacing: true)
        return (manifest, try FileBytes.read(file, limit: .binaryStore).array)
    }

    @Test func everyFlippedBitIsDamage() throws {
        var (manifest, _) = try export(.zstd)
        manifest.entries = BackupEntries(manifest.entries.dropLast(34))
        var text = ManifestText(manifest).bytes
        #expect(try ManifestReader.read(text, path: "a").manifest.entries == manifest.entries)
        for bit in 0..<8 * text.count {
            text[bit / 8] ^= 1 << (bit % 8)
            let problem = #expect(throws: FileProblem.self) { try ManifestReader.read(text, path: "a") }
            #expect(problem?.kind == .damaged, "bit \(bit)")
            text[bit / 8] ^= 1 << (bit % 8)
        }
        for end in [0, 1, ManifestSeal.count - 1, ManifestSeal.count, text.count - 1] {
            #expect(throws: FileProblem.self) { try ManifestReader.read(Array(text[..<end]), path: "a") }
        }
    }

    /// The frames of zstd have no checksum, and a flipped bit often decodes.
    @Test func flippedBitsOfArchivesAreDamage() throws {
        let (manifest, bytes) = try export(.zstd)
        var random = RandomNumbers()
        var wrong = 0
        for number in 0..<800 {
            var flipped = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                flipped[Int.random(in: bytes.indices, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            let file = scratch.path.appending("flipped-\(number)")
            try NewFile.write(flipped, to: file)
            // try?: damage that the decompressor finds
            guard
                let contents = try? ArchiveContents(
                    of: .file(file), digests: false, descriptions: false)
            else {
                wrong += 1
                continue
            }
            #expect(contents.manifest == manifest, "\(number)")
        }
        #expect(wrong > 0)
    }
}
