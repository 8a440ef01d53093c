import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSSync

/// Changes that a commit recorded and that a run sends without reading them.
@Suite struct PassedOnChangesTests {
    private func changes(_ path: FilePath) throws -> [SyncChange] {
        var found: [SyncChange] = []
        try ChangeSetReader(FileBytes.read(path, limit: .changeSet), path: path).forEachChange {
            found.append($0)
        }
        return found
    }

    /// The objects of a binary store, as bytes.
    private func map(_ path: FilePath) throws -> [UInt8] {
        let bytes = try FileBytes.read(path, limit: .changeSet)
        let (offset, size) = try (
            #require(bytes.number(at: 32, width: 8)), #require(bytes.number(at: 40, width: 8))
        )
        return bytes.array(Int(offset)..<Int(offset + size))
    }

    private func sent(_ remote: SyncedRemote) throws -> FilePath {
        let set = try #require(try remote.sets().last)
        return remote.root.appending("Documents/\(SyncedRemote.document)/SyncChanges").appending(set)
    }

    @Test func sentSetHasTheBytesOfTheRecordedChanges() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        for number in 0..<50 { try one.insertNote("N\(number)", title: "Größe \(number)") }
        let recorded = try ReplicaSession(one.folder).commit().changesWaiting
        let map = try map(one.folder.unsynchronized)
        let changes = try changes(one.folder.unsynchronized)
        let report = try one.run()
        #expect(report.sent?.changes == recorded && recorded == changes.count && report.changesWaiting == 0)
        let set = try sent(remote)
        #expect(try self.map(set) == map)
        // As if the changes had been read and written again.
        let written = try ChangeSetWriter.bytes(of: changes.sorted { $0.primaryKey < $1.primaryKey })
        #expect(Array(written[64..<64 + map.count]) == map)
        #expect(try FileBytes.read(set, limit: .changeSet).count == written.count)
    }

    /// A second commit, and a file that a program has written again, have the effect of the changes.
    @Test(arguments: [true, false]) func otherFilesAreRead(isWritten: Bool) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        _ = try ReplicaSession(one.folder).commit()
        if isWritten {
            let changes = try changes(one.folder.unsynchronized).sorted { $0.primaryKey < $1.primaryKey }
            try AtomicFile.write(
                ChangeSetWriter.bytes(of: changes + changes.filter { $0.type == .attribute }),
                to: one.folder.unsynchronized)
        } else {
            try one.edit("UPDATE ZNOTE SET ZTITLE = 'second'")
            _ = try ReplicaSession(one.folder).commit()
        }
        #expect(try one.run().sent != nil)
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().count == 1)
    }

    /// Without a commit before, and if the run only fetches at first.
    @Test(arguments: [RunOptions.Direction.pull, .push, .both])
    func editsReachTheOthers(_ direction: RunOptions.Direction) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        var options = RunOptions()
        options.direction = direction
        let report = try one.run(options)
        #expect(report.editsRecorded > 0)
        #expect((report.sent == nil) == (direction == .pull))
        #expect((report.changesWaiting > 0) == (direction == .pull))
        #expect(try FileStatus.ifPresent(one.folder.beingSynchronized) == nil)
        #expect(try (FileStatus.ifPresent(one.folder.unsynchronized) != nil) == (direction == .pull))
        try one.run()
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().count == 1)
    }

    /// A note that is damaged counts as no note.
    @Test(arguments: ["", "1", "x AAAA", "-1 AAAA", "1 AAAA", "1 2 3"])
    func invalidNoteIsNone(_ text: String) { #expect(NotedContent(Array(text.utf8)) == nil) }

    @Test func noteIsReadAsItWasWritten() {
        let noted = NotedContent(changes: 7, digest: [UInt8](repeating: 200, count: 32))
        #expect(NotedContent(noted.note) == noted)
    }
}
