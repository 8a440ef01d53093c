import Foundation
import SystemCalls
import SystemPackage
import TICDSSync
import Testing

/// Change sets that arrive after later ones: the document ends as if all had arrived in order.
@Suite struct LateSetTests {
    /// A set that is on its way.
    private struct Delay {
        private let (file, away): (String, String)

        init(of set: String, by replica: TestReplica, _ remote: SyncedRemote) throws {
            file = "\(remote.root)/Documents/Document-1/SyncChanges/\(replica.client)/\(set).syncchg"
            away = "\(remote.scratch.path)/\(set)"
            try FileManager.default.moveItem(atPath: file, toPath: away)
        }

        /// The set arrives.
        func end() throws { try FileManager.default.moveItem(atPath: away, toPath: file) }
    }

    @Test func aLateSetEndsWhereItBelongs() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        let three = try remote.replica("Client-Three")
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'earlier'")
        let delay = try Delay(of: #require(one.run().sent?.identifier), by: one, remote)
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'later'")
        try two.run()
        try three.run()
        try delay.end()
        #expect(try two.run().setsAppliedAgain == 1)
        #expect(try three.run().setsAppliedAgain == 1)
        try one.run()
        for replica in [one, two, three] {
            #expect(try replica.objects().first?.contains("later") == true)
        }
    }

    /// A set that arrives late gives a picture to a note, and a later set in the document takes it away. An unsent edit of
    /// the object that took it does not prevent that.
    @Test(arguments: [
        "UPDATE ZNOTE SET ZCOVER = 2 WHERE ZTICDSSYNCID = 'N2'",
        "UPDATE ZNOTE SET ZCOVER = NULL WHERE ZTICDSSYNCID = 'N2'",
        "DELETE FROM ZNOTE WHERE ZTICDSSYNCID = 'N2'",
    ])
    func aLateSetLosesTheOtherEnd(_ edit: String) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        for note in ["N1", "N2"] { try one.insertNote(note, title: note) }
        for picture in ["P1", "P2"] {
            try one.edit("INSERT INTO ZPICTURE (Z_ENT, ZTICDSSYNCID) VALUES (3, '\(picture)')")
        }
        try one.run()
        try two.run()
        try one.edit("UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N1'")
        let late = try #require(try one.run().sent?.identifier)
        let delay = try Delay(of: late, by: one, remote)
        try two.edit("UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N2'")
        try two.run()
        try delay.end()
        try two.edit(edit)
        #expect(try two.run().setsAppliedAgain == 1)
        try one.run()
        #expect(try one.objects() == two.objects())
        #expect(try one.objects().allSatisfy { !$0.contains("cover→P1") })
    }

    /// A lid that gets a box after the deletion of the box does not save the lid that the box had then.
    @Test func aDeletedOwnerKeepsWhatItHad() throws {
        let remote = try SyncedRemote()
        let replicas = try ["Client-One", "Client-Two", "Client-Three"].map {
            try remote.replica($0, model: OwnerModel.contents)
        }
        try replicas[0].edit(
            "INSERT INTO ZBOX (Z_ENT, ZTICDSSYNCID) VALUES (1, 'B')",
            "INSERT INTO ZLID (Z_ENT, ZTICDSSYNCID) VALUES (4, 'L1')",
            "INSERT INTO ZLID (Z_ENT, ZTICDSSYNCID) VALUES (4, 'L2')")
        for replica in replicas { try replica.run() }
        let edits = [
            "UPDATE ZLID SET ZBOX = 1 WHERE ZTICDSSYNCID = 'L1'", "DELETE FROM ZBOX",
            "UPDATE ZLID SET ZBOX = 1 WHERE ZTICDSSYNCID = 'L2'",
        ]
        let delays = try zip(replicas, edits).map { replica, edit in
            try replica.edit(edit)
            return try Delay(of: #require(replica.run().sent?.identifier), by: replica, remote)
        }
        for delay in delays { try delay.end() }
        // The second one has deleted the box, and learns of both lids now.
        #expect(try replicas[1].run().removedWithOwner == 1)
        let newcomer = try remote.replica("Client-Four", model: OwnerModel.contents)
        for replica in [replicas[0], replicas[2], newcomer] {
            try replica.run()
            #expect(try replica.objects() == replicas[1].objects())
        }
        #expect(try newcomer.objects() == ["Lid ticdsSyncID=string(\"L2\")"])
    }
}
