import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Edits of another tool in a live store, and the changes that result.
@Suite(.enabled(if: SQLiteShell.available))
struct EditTests {
    /// Folder F (1) with notes N1, N2, N3 (1, 2, 3); tag T (1) on N1 and N2; picture P (1) of N1; people A, B (1, 2),
    /// married; shelf S (1) with book K (1).
    private func pair() throws -> LivePair {
        try LivePair { store in
            let folder = try store.make("Folder", "F")
            let notes = try ["N1", "N2", "N3"].map { try store.make("Note", $0) }
            for note in notes { try store.setToOne("folder", of: note, to: folder) }
            let tag = try store.make("Tag", "T")
            for note in notes.prefix(2) { try store.add(tag, to: "tags", of: note) }
            try store.setToOne("cover", of: notes[0], to: try store.make("Picture", "P"))
            let people = try ["A", "B"].map { try store.make("Person", $0) }
            try store.setToOne("spouse", of: people[0], to: people[1])
            try store.add(people[1], to: "friends", of: people[0])
            try store.add(notes[0], to: "favourites", of: people[0])
            try store.setToOne("shelf", of: try store.make("Book", "K"), to: try store.make("Shelf", "S"))
        }
    }

    /// The edits in words. Afterwards the store must be intact and have no further edits.
    private func edits(
        _ pair: LivePair, _ statements: String
    ) throws -> (edits: [String], notices: [EditNotice.Kind]) {
        let printed = try pair.sql(statements)
        #expect(printed.isEmpty)
        var notices: [EditNotice.Kind] = []
        let store = try pair.open()
        let edits = try store.edits { notices.append($0.kind) }
        #expect(try store.edits { _ in } == edits)
        try store.updateBase()
        #expect(try store.edits { Issue.record("at last \($0)") }.isEmpty)
        try store.finish()
        #expect(try pair.dump(pair.store) == pair.dump(pair.base))
        #expect(try SQLiteShell.run(pair.base, "PRAGMA integrity_check") == "ok")
        let check = try StoreChecker.check(SQLiteStore(pair.store, model: pair.model))
        #expect(check.findings == [])
        return (edits.map(Self.words), notices)
    }

    /// One line for each object; generated identifiers appear as “new”.
    private static func words(_ edit: EditedObject) -> String {
        func name(_ identifier: String?) -> String {
            identifier.map { $0.utf8.count == 36 ? "new" : $0 } ?? "nil"
        }
        let sign = [EditedObject.Kind.inserted: "+", .updated: "~", .deleted: "-"][edit.kind] ?? "?"
        let attributes = edit.attributes.filter { $0.name != "ticdsSyncID" }.map { attribute in
            switch attribute.value {
            case .string(let text): "\(attribute.name)=\(text)"
            case .integer(let number): "\(attribute.name)=\(number)"
            case .boolean(let value): "\(attribute.name)=\(value)"
            default: "\(attribute.name)=nil"
            }
        }
        let links =
            edit.toOne.map { "\($0.name)→\(name($0.target))" }
            + edit.added.map { "\($0.name)+\(name($0.target))" }
            + edit.removed.map { "\($0.name)-\(name($0.target))" }
        return (["\(sign)\(edit.entity)", name(edit.identifier)] + attributes + links.sorted())
            .joined(separator: " ")
    }

    @Test func nothing() throws {
        let found = try edits(pair(), "UPDATE ZITEM SET ZNAME = ZNAME; UPDATE ZITEM SET Z_OPT = Z_OPT + 1")
        #expect(found.edits == [])
        #expect(found.notices == [])
    }

    @Test func attributesAndReferences() throws {
        let pair = try pair()
        let found = try edits(
            pair,
            "UPDATE ZITEM SET ZNAME = 'x', ZSTARS = 3 WHERE Z_PK = 1; UPDATE ZITEM SET ZNAME = NULL, "
                + "ZFOLDER = NULL WHERE Z_PK = 2; INSERT INTO ZFOLDER (ZNAME) VALUES ('two');"
                + "UPDATE ZITEM SET ZFOLDER = 2 WHERE Z_PK = 3;")
        #expect(
            found.edits == [
                "+Folder new name=two", "~Note N1 name=x stars=3", "~Note N2 name=nil folder→nil",
                "~Note N3 folder→new",
            ])
        #expect(Set(found.notices) == [.entityFilledIn, .versionFilledIn, .identifierMade])
        // The version of edited rows is incremented; Z_FOK changes with the key.
        #expect(try pair.sql("SELECT Z_OPT, Z_FOK_FOLDER FROM ZITEM ORDER BY Z_PK") == "2|2048\n2|\n2|2048")
        #expect(try pair.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Folder'") == "2")
    }

    @Test func newRows() throws {
        let pair = try pair()
        let found = try edits(
            pair,
            "INSERT INTO ZITEM (Z_ENT, ZNAME, ZFOLDER) VALUES (4, 'n', 1), (5, 't', 77);"
                + "INSERT INTO ZITEM (Z_ENT, Z_OPT, ZNAME, ZTICDSSYNCID) VALUES (4, 1, 'mine', 'MINE');"
                + "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (4, 1), (5, 1), (99, 1), (6, 98);")
        #expect(
            found.edits == [
                "+Note new name=n cover→nil folder→F tags+T", "+Note MINE name=mine cover→nil folder→nil",
                "+Task new name=t done=false folder→nil tags+T", "~Tag T items+new items+new",
            ])
        #expect(found.notices.filter { $0 == .referenceCleared }.count == 3)
        #expect(found.notices.contains(.valueFilledIn))
        #expect(try pair.sql("SELECT Z_FOK_FOLDER FROM ZITEM WHERE Z_PK = 4") == "5120")
    }

    @Test func aRowWithoutItsEntityIsRefused() throws {
        let pair = try pair()
        try pair.sql("INSERT INTO ZITEM (ZNAME) VALUES ('n')")
        let problem = #expect(throws: FileProblem.self) {
            _ = try pair.open().edits { _ in }
        }
        #expect(problem?.kind == .refused)
        #expect(problem?.problem.contains("row 4 of ZITEM") == true)
        try pair.sql("UPDATE ZITEM SET Z_ENT = 4; UPDATE ZITEM SET ZSTARS = 'many' WHERE Z_PK = 2")
        let value = #expect(throws: FileProblem.self) { _ = try pair.open().edits { _ in } }
        #expect(value?.kind == .refused)
        #expect(value?.problem.contains("stars") == true)
    }

    /// The identifier of a row determines its object, not the key.
    @Test func identifiers() throws {
        let pair = try pair()
        let columns = "Z_ENT, Z_OPT, ZNAME, ZTICDSSYNCID"
        let found = try edits(
            pair,
            // Copied, cleared, changed by hand.
            "INSERT INTO ZTAG (\(columns)) SELECT \(columns) FROM ZTAG;"
                + "UPDATE ZITEM SET ZTICDSSYNCID = NULL, ZNAME = 'cleared' WHERE Z_PK = 1;"
                + "UPDATE ZITEM SET ZTICDSSYNCID = 'other' WHERE Z_PK = 2;"
                // The row was deleted and inserted again with a different key, and with references to it.
                + "UPDATE ZPERSON SET Z_PK = 20, ZNAME = 'moved' WHERE Z_PK = 2;"
                + "UPDATE ZPERSON SET ZSPOUSE = 20 WHERE Z_PK = 1; UPDATE Z_6FRIENDS SET REFLEXIVE = 20 "
                + "WHERE REFLEXIVE = 2; UPDATE Z_6FRIENDS SET Z_6FRIENDS = 20 WHERE Z_6FRIENDS = 2;")
        #expect(found.edits == ["+Tag new name=T", "~Note N1 name=cleared", "~Person B name=moved"])
        #expect(
            found.notices.sorted { $0.rawValue < $1.rawValue } == [
                .identifierMade, .identifierPutBack, .identifierPutBack, .keyChanged,
            ])
        #expect(try pair.sql("SELECT Z_PK, ZSPOUSE FROM ZPERSON ORDER BY 1") == "1|2\n2|1")
    }

    /// SQLite assigns the highest key again after a deletion, but the new row is a different object.
    @Test func reusedKeys() throws {
        let pair = try pair()
        let found = try edits(
            pair,
            "DELETE FROM ZITEM WHERE Z_PK = 3; INSERT INTO ZITEM (Z_ENT, ZNAME) VALUES (5, 'task');"
                + "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (3, 1);"
                + "UPDATE ZITEM SET Z6FAVOURITES = 2 WHERE Z_PK = 3")
        #expect(
            found.edits == [
                "+Task new name=task done=false folder→nil tags+T", "~Person B favourites+new",
                "~Tag T items+new", "-Note N3",
            ])
        #expect(try pair.sql("SELECT Z_PK FROM ZITEM ORDER BY 1") == "1\n2\n4")
        let again = try edits(
            pair, "DELETE FROM ZITEM WHERE Z_PK = 4; INSERT INTO ZITEM (Z_ENT) VALUES (4)")
        #expect(again.edits.map { $0.prefix(5) } == ["+Note", "~Pers", "~Tag ", "-Task"])
    }

    /// The delete rules of the model apply to deleted rows.
    @Test func deletions() throws {
        let pair = try pair()
        let found = try edits(
            pair, "UPDATE ZITEM SET ZFOLDER = NULL WHERE Z_PK = 2; DELETE FROM ZFOLDER; DELETE FROM ZSHELF;")
        #expect(
            found.edits == [
                "~Note N2 folder→nil", "~Person A favourites-N1", "~Tag T items-N1", "-Folder F", "-Note N1",
                "-Note N3", "-Picture P",
            ])
        #expect(found.notices == [.deletionDenied])
        #expect(try pair.sql("SELECT ZNAME FROM ZSHELF") == "S")
        #expect(try pair.sql("SELECT count(*) FROM Z_3TAGS") == "1")
        let free = try edits(
            pair, "UPDATE ZBOOK SET ZSHELF = NULL; DELETE FROM ZSHELF; DELETE FROM ZPERSON WHERE Z_PK = 2")
        #expect(
            free.edits == [
                "~Book K shelf→nil", "~Person A friends-B spouse→nil",
                "-Person B", "-Shelf S",
            ])
    }

    /// A target that another object has taken over is not deleted with its former owner.
    @Test func takenOverByAnother() throws {
        for statement in [
            "UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 2", "UPDATE ZPICTURE SET ZNOTE = 2",
            "UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 2; UPDATE ZPICTURE SET ZNOTE = 2",
        ] {
            let found = try edits(pair(), statement + "; DELETE FROM ZITEM WHERE Z_PK = 1")
            #expect(
                found.edits == [
                    "~Note N2 cover→P", "~Person A favourites-N1", "~Picture P note→N2", "~Tag T items-N1",
                    "-Note N1 cover→nil",
                ])
        }
        let found = try edits(pair(), "UPDATE ZPICTURE SET ZNOTE = NULL; DELETE FROM ZITEM WHERE Z_PK = 1")
        #expect(found.edits.contains("~Picture P note→nil"))
    }

    /// A change of one side of a one-to-one relationship updates the other side.
    @Test func oneToOne() throws {
        for statement in [
            "UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 2", "UPDATE ZPICTURE SET ZNOTE = 2",
            "UPDATE ZITEM SET ZCOVER = NULL WHERE Z_PK = 1; UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 2",
        ] {
            let found = try edits(pair(), statement)
            #expect(found.edits == ["~Note N1 cover→nil", "~Note N2 cover→P", "~Picture P note→N2"])
        }
        // The recorded side is “cover”.
        let found = try edits(
            pair(), "UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 3; UPDATE ZPICTURE SET ZNOTE = 2")
        #expect(found.edits == ["~Note N1 cover→nil", "~Note N3 cover→P", "~Picture P note→N3"])
        #expect(found.notices.contains(.contradictionSettled))
        let person = "INSERT INTO ZPERSON (ZNAME, ZSPOUSE) VALUES ('C', 1)"
        #expect(
            try edits(pair(), person).edits == [
                "+Person new name=C spouse→A", "~Person A spouse→new", "~Person B spouse→nil",
            ])
        #expect(
            try edits(pair(), "UPDATE ZPERSON SET ZSPOUSE = NULL WHERE Z_PK = 2").edits == [
                "~Person A spouse→nil", "~Person B spouse→nil",
            ])
    }

    @Test func joinRows() throws {
        let pair = try pair()
        let found = try edits(
            pair,
            "DELETE FROM Z_3TAGS WHERE Z_3ITEMS = 1; INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (3, 1);"
                + "DELETE FROM Z_6FRIENDS WHERE REFLEXIVE = 1; INSERT INTO ZPERSON (ZNAME) VALUES ('C');"
                + "INSERT INTO Z_6FRIENDS VALUES (3, 2); UPDATE ZITEM SET Z6FAVOURITES = 2 WHERE Z_PK = 1;")
        #expect(
            found.edits == [
                "+Person new name=C friends+B spouse→nil", "~Note N1 tags-T", "~Note N3 tags+T",
                "~Person A favourites-N1 friends-B", "~Person B favourites+N1 friends+new friends-A",
                "~Tag T items+N3 items-N1",
            ])
        #expect(try pair.sql("SELECT count(*) FROM Z_6FRIENDS") == "2")
        #expect(try pair.sql("SELECT Z_FOK_3ITEMS FROM Z_3TAGS ORDER BY 1") == "3072\n4096")
    }

    /// A pair that is removed and added again is not an edit, but has lost its position in ordered relationships.
    @Test func placesOfJoinRows() throws {
        let pair = try pair()
        let found = try edits(
            pair,
            "DELETE FROM Z_3TAGS WHERE Z_3ITEMS = 1; INSERT INTO Z_3TAGS (Z_3ITEMS, Z_9TAGS) VALUES (1, 1);"
                + "UPDATE Z_3TAGS SET Z_FOK_3ITEMS = NULL WHERE Z_3ITEMS = 2")
        #expect(found.edits == [])
        #expect(try pair.sql("SELECT Z_FOK_3ITEMS FROM Z_3TAGS ORDER BY 1") == "2048\n3072")
        _ = try edits(pair, "UPDATE Z_3TAGS SET Z_FOK_3ITEMS = 3072")
        #expect(try pair.sql("SELECT count(DISTINCT Z_FOK_3ITEMS) FROM Z_3TAGS") == "2")
    }

    /// A new object does not get a reserved identifier.
    @Test func reservedIdentifiers() throws {
        let pair = try pair()
        try pair.sql("INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('new', 'GONE')")
        var notices: [EditNotice] = []
        let found = try pair.open().edits(reserved: ["GONE", "T"]) { notices.append($0) }
        #expect(found.map(\.kind) == [.inserted])
        #expect(found.first?.identifier.utf8.count == 36)
        #expect(notices.contains { $0.kind == .identifierMade && $0.text.contains("GONE") })
    }

    /// Unchanged rows keep their version, whatever else changes.
    @Test func onlyEditedRowsAreTouched() throws {
        let pair = try pair()
        _ = try edits(pair, "UPDATE ZITEM SET ZNAME = 'x' WHERE Z_PK = 2")
        #expect(try pair.sql("SELECT Z_OPT FROM ZITEM") == "1\n2\n1")
        #expect(try pair.sql("SELECT sum(Z_OPT) FROM ZTAG") == "1")
    }
}
