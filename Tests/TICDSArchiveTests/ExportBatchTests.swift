import SystemCalls
import Testing
@testable import TICDSArchive
import TICDSCore

@Suite struct ExportBatchTests {
    private static func batches(_ sizes: [Int64]) -> [ExportBatch] {
        let entries = sizes.map { size in
            BackupEntry(
                path: ["Documents", "file"], role: .unknown, size: size,
                modified: FileTime(seconds: 0, nanoseconds: 0))
        }
        return ExportBatch.cut(entries, of: "app", limit: 1 << 20)
    }

    /// Sparse files can have any size that the file system supports.
    @Test func sizesThatCannotBeAddedUp() {
        let batches = Self.batches([10, .max, .max, 20])
        #expect(batches.map(\.entries) == [0..<1, 1..<2, 2..<3, 3..<4])
        #expect(batches.map(\.isLarge) == [false, true, true, false])
    }

    /// A batch that is read again for lack of memory gives the same pieces as one that stayed there.
    @Test func aBatchThatIsCutAgainStaysWhole() {
        let entries = (0..<20).map { _ in
            BackupEntry(
                path: ["Documents", "file"], role: .unknown, size: 50_000,
                modified: FileTime(seconds: 0, nanoseconds: 0))
        }
        let whole = ExportBatch.cut(entries, of: "app", limit: 1 << 20, isEnd: false)
        #expect(whole.map(\.entries) == [0..<20])
        #expect(ExportBatch.cut(entries, of: "app", limit: 1 << 20).count > 1)
    }

    @Test func theLastBatchesAreSmaller() {
        let batches = Self.batches(Array(repeating: 60_000, count: 100))
        #expect(batches.first.map { $0.size > 900_000 } == true)
        #expect(batches.last.map { $0.size <= 1 << 18 } == true)
        #expect(batches.flatMap(\.entries) == Array(0..<100))
        #expect(batches.allSatisfy { $0.size <= 1 << 20 && !$0.isLarge })
    }
}
