import TestSupport
import Testing

@testable import CoreDataStore

/// Positions in ordered relationships, which are read from the store once and then kept in memory.
@Suite struct OrderedPlacesTests {
    /// A list in memory against an array of the same positions.
    @Test func listsCountWhatTheyHold() {
        var random = RandomNumbers(41)
        var places = (0..<20).map { _ in Int64.random(in: 0..<30, using: &random) }
        var list = OrderedList(places)
        for _ in 0..<5000 {
            let place = Int64.random(in: -2..<30, using: &random)
            if Bool.random(using: &random) {
                list.add(place)
                places.append(place)
            } else {
                list.remove(place)
                places.firstIndex(of: place).map { _ = places.remove(at: $0) }
            }
            #expect(list.last == places.max())
            #expect(list.count(at: place) == places.count { $0 == place })
        }
    }

    /// After any sets, additions, removals and deletions, a new member comes after the last one of the table.
    @Test(.enabled(if: SQLiteShell.available)) func newMembersComeLast() throws {
        var folders: [StoreObjectID] = []
        var tags: [StoreObjectID] = []
        var notes: [StoreObjectID] = []
        let pair = try LivePair { store in
            for number in 0..<3 { folders.append(try store.make("Folder", "folder \(number)")) }
            for number in 0..<3 { tags.append(try store.make("Tag", "tag \(number)")) }
            for number in 0..<12 { notes.append(try store.make("Note", "note \(number)")) }
        }
        let store = try WritableStore(pair.store, model: pair.model, identifier: "ticdsSyncID")
        let key = try #require(
            store.schema.tables["Z_3TAGS"]?.columns.first { $0.name.hasSuffix("TAGS") }?.name)
        func number(_ sql: String) throws -> Int64? { try store.connection.rows(sql) { $0.integer(0) }.first }
        func next(_ last: Int64?) -> Int64 { last.map { ($0 / 1024 + 1) * 1024 } ?? 2048 }
        var random = RandomNumbers(42)
        for step in 0..<3000 {
            let position = Int.random(in: notes.indices, using: &random)
            let note = notes[position]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                let folder = try #require(folders.randomElement(using: &random))
                let row = "FROM ZITEM WHERE Z_PK = \(note.primaryKey)"
                let last = try number(
                    "SELECT max(Z_FOK_FOLDER) FROM ZITEM WHERE ZFOLDER = \(folder.primaryKey)")
                let isMember = try number("SELECT ZFOLDER \(row)") == folder.primaryKey
                let old = try number("SELECT Z_FOK_FOLDER \(row)")
                try store.setToOne("folder", of: note, to: folder)
                #expect(
                    try number("SELECT Z_FOK_FOLDER \(row)") == (isMember ? old : next(last)), "step \(step)")
            case 8..<10: try store.setToOne("folder", of: note, to: nil)
            case 10..<15:
                let tag = try #require(tags.randomElement(using: &random))
                let row = "FROM Z_3TAGS WHERE \(key) = \(tag.primaryKey)"
                let last = try number("SELECT max(Z_FOK_3ITEMS) \(row)")
                let old = try number("SELECT Z_FOK_3ITEMS \(row) AND Z_3ITEMS = \(note.primaryKey)")
                if Bool.random(using: &random) {
                    try store.add(note, to: "items", of: tag)
                } else {
                    try store.add(tag, to: "tags", of: note)
                }
                let new = try number("SELECT Z_FOK_3ITEMS \(row) AND Z_3ITEMS = \(note.primaryKey)")
                #expect(new == old ?? next(last), "step \(step)")
            case 15..<18:
                try store.remove(note, from: "items", of: try #require(tags.randomElement(using: &random)))
            default:
                #expect(try store.delete([note]).isEmpty)
                notes[position] = try store.make("Note", "note \(step)")
            }
        }
        try store.finish()
    }
}
