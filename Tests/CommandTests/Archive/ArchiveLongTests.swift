import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Tests that take minutes, and space in `TMPDIR`: `TICDS_LONG=1` runs them.
@Suite(.enabled(if: LongTests.areWanted, "long: make check runs it"), .serialized)
struct ArchiveLongTests {
    /// Seconds for one command, on a busy machine.
    private static let patience = 3_600.0

    @Test func aHundredThousandFiles() throws {
        let fixture = try ArchiveFixture(patience: Self.patience)
        let folder = fixture.root.appending("Documents").appending("cookbook").appending("SyncChanges")
            .appending("many-client")
        try TestFiles.makeFolder(folder)
        for number in 0..<100_000 {
            let time = FileTime(seconds: 1_400_000_000 + Int64(number), nanoseconds: Int32(number))
            try NewFile.write(
                Array("set \(number)".utf8), to: folder.appending("0400\(number)-SET-\(number).syncchg"),
                modified: time)
        }
        let file = try fixture.export("a.tar.zst")
        let after = try TreeFacts(fixture.bring(file))
        #expect(after.facts.count > 100_000)
        #expect(after == (try TreeFacts(fixture.root)))
    }

    /// Zeros take no space in the archive, nor on the disk when they are restored, and do not count as a bomb.
    @Test(arguments: ["a.tar.zst", "a.zip"]) func aStoreOfFiveGigabytes(name: String) throws {
        let fixture = try ArchiveFixture(patience: Self.patience)
        let store = "Documents/cookbook/WholeStore/big-client/WholeStore.ticdsync"
        try fixture.scratch.shell(
            """
            cd '\(fixture.root)'; mkdir -p Documents/cookbook/WholeStore/big-client; truncate -s 5G '\(store)'
            printf head | dd of='\(store)' conv=notrunc status=none
            printf middle | dd of='\(store)' bs=1M seek=4500 conv=notrunc status=none
            """)
        let file = try fixture.export(name)
        #expect(try FileStatus.of(FilePath(file)).size < 64 << 20)
        let root = try fixture.bring(file)
        try fixture.scratch.shell(
            "cmp '\(fixture.root)/\(store)' '\(root)/\(store)'", seconds: Self.patience)
        let blocks = try fixture.scratch.shell("du -m '\(root)/\(store)' | cut -f1")
        #expect((Int(blocks.dropLast()) ?? .max) < 64)
    }
}
