import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

@Suite struct TimelineTests {
    /// Monday, 2013-03-04.
    private static let monday: Int64 = 1_362_355_200
    private static let day: Int64 = 86_400
    private static let now = FileTime(seconds: monday + 100 * day)

    /// A name with a time: this many days after that Monday.
    private static func name(_ days: Int64, _ end: String = "A") -> String {
        "0\(monday - FileTime.secondsFrom1970To2001 + days * day).000000-\(end)"
    }

    private static func time(_ days: Int64) -> Int64 { monday + days * day }

    private func builder() throws -> RemoteBuilder {
        let builder = try RemoteBuilder().skeleton().document("Notebook").document("Diary")
        for client in ["CLIENT-A", "CLIENT-B", "CLIENT-C"] {
            try builder.client(client).join(client, "Notebook")
        }
        try builder.changeSet(Self.name(0), of: "CLIENT-A", in: "Notebook", time: Self.time(0))
            .changeSet(Self.name(0, "B"), of: "CLIENT-A", in: "Notebook", time: Self.time(0))
            .changeSet(Self.name(3), of: "CLIENT-A", in: "Diary", time: Self.time(3))
            .changeSet(Self.name(9), of: "CLIENT-B", in: "Notebook", time: Self.time(9))
        return try builder.recentSync(of: "CLIENT-A", in: "Notebook", time: Self.time(5))
            .recentSync(of: "CLIENT-A", in: "Diary", time: Self.time(6))
            .wholeStore(of: "CLIENT-B", in: "Notebook", time: Self.time(2))
            .write("Documents/Notebook/DeletedClients/CLIENT-Z.plist", "x", time: Self.time(8))
    }

    private func timeline(
        _ builder: RemoteBuilder, _ selection: Timeline.Selection = .init(), columns: Int = 20
    ) throws -> Timeline {
        Timeline(
            try RemoteSnapshot.take(builder.storage), descriptions: ["CLIENT-A": "Anna"],
            selection: selection, columns: columns, now: Self.now)
    }

    @Test func countsAndMarks() throws {
        let timeline = try timeline(builder())
        let scale = try #require(timeline.scale)
        #expect(scale.unit == .day && scale.starts.count == 10)
        #expect(timeline.rows.map(\.client) == ["CLIENT-B", "CLIENT-Z", "CLIENT-A", "CLIENT-C"])
        let anna = timeline.rows[2]
        #expect(anna.description == "Anna" && anna.changeSets == .all(3))
        #expect(anna.counts == [2, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(anna.lastSync == FileTime(seconds: Self.time(6)) && anna.latest == anna.lastSync)
        #expect(anna.marks.map(\.document) == ["Notebook", "Diary"])
        let bob = timeline.rows[0]
        #expect(bob.counts.last == 1 && bob.lastSync == nil && bob.marks.map(\.kind) == [.wholeStore])
        let gone = timeline.rows[1]
        #expect(gone.changeSets == .all(0) && gone.marks.map(\.kind) == [.deleted])
        let silent = timeline.rows[3]
        #expect(silent.latest == nil && silent.changeSets == .all(0) && silent.marks == [])
        #expect(timeline.largestCount == 2 && timeline.untimedNames == 0 && timeline.disagreeing == 0)
    }

    @Test func oneDocumentAndOneClient() throws {
        let diary = try timeline(builder(), .init(documents: ["Diary"], clients: ["CLIENT-A"]))
        #expect(diary.rows.map(\.client) == ["CLIENT-A"])
        #expect(diary.rows[0].changeSets == .all(1) && diary.rows[0].marks.count == 1)
        #expect(diary.scale?.starts.first == FileTime(seconds: Self.time(3)))
    }

    @Test func fromAndTo() throws {
        let selection = Timeline.Selection(
            since: FileTime(seconds: Self.time(1)), until: FileTime(seconds: Self.time(4)))
        let timeline = try timeline(builder(), selection)
        let scale = try #require(timeline.scale)
        #expect(scale.unit == .hour || scale.starts.count == 3)
        #expect(scale.starts.first == selection.since && scale.end == selection.until)
        let anna = try #require(timeline.rows.first { $0.client == "CLIENT-A" })
        #expect(anna.before == 2 && anna.changeSets == .all(1) && anna.after == 0)
        let bob = try #require(timeline.rows.first { $0.client == "CLIENT-B" })
        #expect(bob.before == 0 && bob.changeSets == .all(0) && bob.after == 1)
    }

    /// The time in the name takes precedence; an impossible one does not count, and a difference of the two is
    /// reported.
    @Test func namesAndModificationTimes() throws {
        let builder = try builder()
            .changeSet(Self.name(4, "copied"), of: "CLIENT-C", in: "Notebook", time: Self.time(50))
            .changeSet("no time", of: "CLIENT-C", in: "Notebook", time: Self.time(5))
            .changeSet("9999999999.000000-later", of: "CLIENT-C", in: "Notebook", time: Self.time(6))
            .changeSet("0000000001.000000-early", of: "CLIENT-C", in: "Notebook", time: Self.time(7))
        let timeline = try timeline(builder)
        #expect(timeline.disagreeing == 1 && timeline.untimedNames == 3)
        let row = try #require(timeline.rows.first { $0.client == "CLIENT-C" })
        #expect(row.counts == [0, 0, 0, 0, 1, 1, 1, 1, 0, 0])
    }

    /// A file from 1970 or from 2100 neither stretches the picture nor is lost.
    @Test func timesThatCannotBe() throws {
        let builder = try builder()
            .changeSet("old", of: "CLIENT-C", in: "Notebook", time: 0)
            .changeSet("new", of: "CLIENT-C", in: "Notebook", time: 4_102_444_800)
            .recentSync(of: "CLIENT-C", in: "Notebook", time: 4_102_444_800)
        let timeline = try timeline(builder)
        #expect(timeline.scale?.starts.count == 10)
        let row = try #require(timeline.rows.first { $0.client == "CLIENT-C" })
        #expect(row.before == 1 && row.after == 1 && row.changeSets == .all(0) && row.marks.count == 1)
    }

    /// The tombstone keeps the time of the file that it copies: only bounds of the removal are known, unless the
    /// tombstone is newer than that file, or the local journal recorded the removal.
    @Test func removals() throws {
        func removal(
            device: Int64?, tombstone: Int64, folders: Int64,
            _ evidence: (inout RemovalEvidence) -> Void = { _ in }
        ) throws -> RemovalTime {
            let builder = try RemoteBuilder().skeleton().document("Notebook")
                .write("Documents/Notebook/DeletedClients/CLIENT-Z.plist", "x", time: Self.time(tombstone))
            if let device {
                try builder.write("ClientDevices/CLIENT-Z/deviceInfo.plist", "x", time: Self.time(device))
            }
            for name in ["DeletedClients", "SyncChanges", "SyncCommands"] {
                try TestFiles.setTime(
                    builder.root.pushing(FilePath("Documents/Notebook/\(name)")),
                    FileTime(seconds: Self.time(folders)))
            }
            var found = RemovalEvidence()
            evidence(&found)
            let timeline = Timeline(
                try RemoteSnapshot.take(builder.storage), removals: found, columns: 20, now: Self.now)
            let mark = try #require(timeline.rows.first?.marks.first)
            #expect(mark.kind == .deleted && mark.time == mark.removal?.exact ?? mark.removal?.notBefore)
            return try #require(mark.removal)
        }
        let day = { FileTime(seconds: Self.time($0)) }
        let copied = try removal(device: 1, tombstone: 1, folders: 8)
        #expect(copied == RemovalTime(evidence: .bounds, exact: nil, notBefore: day(1), notAfter: day(8)))
        let alone = try removal(device: nil, tombstone: 2, folders: 8)
        #expect(alone == RemovalTime(evidence: .bounds, exact: nil, notBefore: day(2), notAfter: day(8)))
        let restored = try removal(device: 1, tombstone: 1, folders: 0)
        #expect(restored == RemovalTime(evidence: .bounds, exact: nil, notBefore: day(1), notAfter: nil))
        let written = try removal(device: 1, tombstone: 7, folders: 8)
        #expect(
            written == RemovalTime(evidence: .tombstone, exact: day(7), notBefore: day(7), notAfter: day(8)))
        let known = try removal(device: 1, tombstone: 1, folders: 8) {
            $0.journalled[["Documents", "Notebook", "DeletedClients", "CLIENT-Z.plist"]] = day(6)
        }
        #expect(known == RemovalTime(evidence: .journal, exact: day(6), notBefore: day(1), notAfter: day(8)))
    }

    @Test func nothingToShow() throws {
        let timeline = try timeline(RemoteBuilder().skeleton())
        #expect(timeline.scale == nil && timeline.rows.isEmpty && timeline.largestCount == 0)
        let silent = try self.timeline(RemoteBuilder().skeleton().client("CLIENT-A"))
        #expect(silent.scale == nil && silent.rows.map(\.client) == ["CLIENT-A"])
    }
}

@Suite struct EntityChangesTests {
    @Test func countsByKind() throws {
        var changes = EntityChanges()
        changes.add(SyncChange(type: .delete, entity: "Note", objectSyncID: "1", timestamp: 1))
        changes.add(SyncChange(type: .delete, entity: "Note", objectSyncID: "2", timestamp: 1))
        var insert = SyncChange(type: .insert, entity: "Tag", objectSyncID: "3", timestamp: 1)
        insert.changedAttributes = .dictionary([.init(key: .string("name"), value: .string("four"))])
        changes.add(insert)
        #expect(changes.largestFirst.map(\.entity) == ["Note", "Tag"])
        #expect(changes.entities["Note"]?.byType == ["delete": 2] && changes.entities["Note"]?.bytes == 0)
        #expect(changes.entities["Tag"]?.bytes == 8 && changes.total == 3)
    }
}
