import Base
import KeyedArchive
import Testing
import TICDSCore

private func insert(_ id: String, _ title: String, _ time: Double? = 1) -> SyncChange {
    SyncChange(
        type: .insert, entity: "Note", objectSyncID: id,
        changedAttributes: .dictionary(["ticdsSyncID": .string(id), "title": .string(title)]), timestamp: time
    )
}

private func set(_ id: String, _ key: String, _ value: ArchivedValue, _ time: Double = 2) -> SyncChange {
    SyncChange(
        type: .attribute, entity: "Note", objectSyncID: id, key: key, changedAttributes: value,
        timestamp: time)
}

private func add(_ id: String, _ tag: String) -> SyncChange {
    SyncChange(
        type: .addToMany, entity: "Note", objectSyncID: id, key: "tags", relatedEntity: "Tag",
        changedRelationships: .string(tag), timestamp: 3)
}

private func record(_ change: SyncChange, client: String? = nil) -> ChangeRecord {
    ChangeRecord(document: nil, client: client, changeSet: "s", sequence: 1, change: change)
}

@Suite struct ChangeFilterTests {
    @Test func everythingPassesWithoutConditions() { #expect(ChangeFilter().admits(insert("a", "x", nil))) }

    @Test func eachConditionCounts() {
        #expect(ChangeFilter(entity: "Note").admits(insert("a", "x")))
        #expect(!ChangeFilter(entity: "Tag").admits(insert("a", "x")))
        #expect(ChangeFilter(object: "t1").admits(add("a", "t1")), "the related object counts")
        #expect(!ChangeFilter(object: "t2").admits(add("a", "t1")))
        #expect(ChangeFilter(types: ["insert", "delete"]).admits(insert("a", "x")))
        #expect(!ChangeFilter(types: ["delete"]).admits(insert("a", "x")))
    }

    @Test func theEndOfTimeIsOutside() {
        let filter = ChangeFilter(since: 1, until: 2)
        #expect(filter.admits(insert("a", "x", 1)))
        #expect(!filter.admits(insert("a", "x", 2)))
        #expect(!filter.admits(insert("a", "x", 0.5)))
        #expect(filter.admits(insert("a", "x", nil)), "an unknown time may lie between the bounds")
        #expect(filter.admits(insert("a", "x", 1e300)), "no clock shows this time")
    }
}

@Suite struct ChangeSearchTests {
    @Test func capitalsDoNotMatterUnlessAsked() {
        #expect(
            ChangeSearch("ÄPFEL").matches(in: set("a", "title", .string("rote Äpfel"))).map(\.key) == [
                "title"
            ])
        #expect(
            ChangeSearch("ÄPFEL", isExact: true).matches(in: set("a", "t", .string("Äpfel"))).isEmpty)
    }

    @Test func numbersDataAndNestedValuesAreSearched() {
        #expect(!ChangeSearch("4711").matches(in: set("a", "n", .integer(47_110))).isEmpty)
        #expect(!ChangeSearch("hello").matches(in: set("a", "n", .data(Array("say hello".utf8)))).isEmpty)
        #expect(
            !ChangeSearch("deep").matches(in: set("a", "n", .array([.dictionary(["k": .string("deep")])])))
                .isEmpty)
        #expect(ChangeSearch("absent").matches(in: set("a", "n", .date(1))).isEmpty)
    }

    @Test func namesAndIdentifiersAreSearched() {
        // A character is found as a whole, in any of its forms.
        #expect(ChangeSearch("u", isExact: true).matches(in: set("a", "n", .string("u\u{301}"))).isEmpty)
        for text in ["u\u{301}", "\u{FA}", "xÚx"] {
            #expect(!ChangeSearch("u").matches(in: set("a", "n", .string(text))).isEmpty)
            #expect(!ChangeSearch("ù").matches(in: set("a", "n", .string(text))).isEmpty)
        }
        #expect(!ChangeSearch("creme bru").matches(in: set("a", "n", .string("Crème brûlée"))).isEmpty)
        #expect(!ChangeSearch("kelvin").matches(in: set("a", "n", .string("\u{212A}elvin"))).isEmpty)
        #expect(!ChangeSearch("pie").matches(in: set("a", "n", .string("Äpfel-PIE"))).isEmpty)
        #expect(ChangeSearch("PIE", isExact: true).matches(in: set("a", "n", .string("pie"))).isEmpty)
        #expect(ChangeSearch("\r").matches(in: set("a", "n", .string("a\r\nb"))).isEmpty)
        #expect(!ChangeSearch("0.5").matches(in: set("a", "n", .real(10.5))).isEmpty)
        #expect(ChangeSearch("tags").matches(in: add("a", "t1")).map(\.key) == [nil])
        #expect(
            ChangeSearch("title").matches(in: insert("a", "x")).isEmpty,
            "names of attributes of an insert do not count")
    }
}

@Suite struct ChangeStatisticsTests {
    @Test func countsAndLargestValues() {
        var statistics = ChangeStatistics(largest: 2)
        for change in [insert("a", "x"), set("a", "title", .string("longer text")), add("a", "t")] {
            statistics.add(record(change, client: "c"))
        }
        statistics.add(record(set("b", "photo", .data([UInt8](repeating: 0, count: 100)), 86_400.5)))
        #expect(statistics.count == 4)
        #expect(statistics.byEntity == ["Note": 4])
        #expect(statistics.byType == ["insert": 1, "attribute": 2, "addToMany": 1])
        #expect(statistics.byClient == ["c": 3])
        #expect(statistics.byDay == [0: 3, 1: 1])
        #expect(statistics.largest.map(\.bytes) == [100, 11])
        #expect(statistics.largest.map(\.key) == ["photo", "title"])
    }

    @Test func impossibleTimesHaveNoDay() {
        var statistics = ChangeStatistics()
        for time in [Double.infinity, -.infinity, 1e300] { statistics.add(record(insert("a", "x", time))) }
        #expect(statistics.byDay.isEmpty)
        #expect(statistics.count == 3)
    }
}

@Suite struct ChangeEffectsTests {
    private func effects(_ changes: [SyncChange]) -> ChangeEffects {
        var effects = ChangeEffects()
        for change in changes { effects.apply(change) }
        return effects
    }

    @Test func laterChangesWin() {
        let one = effects([
            insert("a", "x"), set("a", "title", .string("y")), set("a", "title", .string("z")),
        ])
        let other = effects([insert("a", "z")])
        #expect(ChangeDifference.between(one, other).isEmpty)
    }

    @Test func bothFormsOfNilAreOne() {
        let one = effects([set("a", "title", .null)])
        let other = effects([set("a", "title", .none)])
        #expect(ChangeDifference.between(one, other).isEmpty)
    }

    @Test func differencesNameObjectAndProperty() {
        let one = effects([insert("a", "x"), add("a", "t1")])
        let other = effects([
            insert("a", "y"), SyncChange(type: .delete, entity: "Note", objectSyncID: "b", timestamp: 1),
        ])
        let differences = ChangeDifference.between(one, other)
        #expect(differences.map(\.object.syncID) == ["a", "a", "b"])
        #expect(Set(differences.map(\.aspect)) == [.attribute("title"), .member("tags", "t1"), .existence])
        let title = differences.first { $0.aspect == .attribute("title") }
        #expect(title?.first == .string("x"))
        #expect(title?.second == .string("y"))
    }

    @Test func aDeletionForgetsWhatWasSet() {
        let one = effects([
            insert("a", "x"), SyncChange(type: .delete, entity: "Note", objectSyncID: "a", timestamp: 1),
        ])
        #expect(one.objects.values.map { $0 } == [[.existence: .boolean(false)]])
    }

    @Test func changesWithoutSyncIDAreCounted() {
        let change = SyncChange(type: .delete, entity: "Note", objectSyncID: nil, timestamp: 1)
        #expect(effects([change]).withoutSyncID == 1)
    }
}
