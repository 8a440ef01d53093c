import Base
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// The bytes of an archive do not depend on what stays in memory while it is made.
@Suite struct ExportMemoryTests {
    private let scratch: TemporaryFolder
    private let root: FilePath

    init() throws {
        scratch = try TemporaryFolder(prefix: "ticds-test")
        root = scratch.path.appending("com.example.app")
        try TestFiles.makeFolder(root)
        var random = RandomNumbers()
        for number in 0..<30 {
            let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...15, using: &random) }
            try TestFiles.write(root.appending("file-\(number)"), bytes)
        }
    }

    private func export(_ form: ArchiveForm, _ limits: ExportReader.Limits?) throws -> [UInt8] {
        var settings = ArchiveExporter.Settings(form: form, program: "test")
        settings.limits = limits
        let file = scratch.path.appending("archive")
        _ = try ArchiveFile.export(
            ArchiveExporter(LocalStorage(root: root), settings), to: file, isReplacing: true)
        return try FileBytes.read(file, limit: .binaryStore).array
    }

    @Test(arguments: [ArchiveForm.zstd, .gzip, .zip]) func smallerLimitsGiveTheSameBytes(
        form: ArchiveForm
    ) throws {
        let usual = try export(form, nil)
        for (loaded, packed) in [(0, 0), (4 << 20, 0), (0, 4 << 20), (3 << 20, 5 << 20)] {
            #expect(try export(form, .init(loaded: loaded, packed: packed)) == usual, "\(loaded), \(packed)")
        }
    }

    @Test func largeRemotesGetLessMemory() {
        #expect(ExportReader.Limits.forTotal(200 << 20).packed > ExportReader.Limits.forTotal(1 << 30).packed)
    }
}
