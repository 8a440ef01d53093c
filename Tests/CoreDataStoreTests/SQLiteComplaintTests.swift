import Glibc
import SystemCalls
import SystemPackage
import Testing
@testable import CoreDataStore

/// An unreadable page does not count as damaged.
@Suite struct SQLiteComplaintTests {
    @Test(arguments: [
        ("Page 3: unable to get the page. error code=266", 266),
        ("Tree 2 page 4: unable to get the page. error code=10", 10),
        ("Page 3: unable to get the page. error code=522", nil),
        ("Page 3: unable to get the page. error code=11", nil),
        ("Page 3: unable to get the page. error code=99999999999", nil),
        ("row 1 missing from index error code=", nil), ("Page 5: never used", nil),
    ])
    func errorsOfTheSystem(complaint: String, code: Int32?) {
        #expect(SQLiteConnection.readError(complaint) == code)
    }

    @Test(arguments: [(EIO, 266), (ESTALE, 266), (0, nil), (ENOENT, nil)] as [(Int32, Int32?)])
    func complaintsWithoutACode(number: Int32, code: Int32?) {
        #expect(SQLiteConnection.readError("Tree 5 page 4: Failed to read ptrmap key=4", number) == code)
        #expect(SQLiteConnection.readError("Page 5: never used", number) == nil)
    }

    /// SQLite reports SQLITE_CORRUPT for a page that the disk failed to read.
    @Test(
        arguments: [(11, EIO, 266), (779, ENXIO, 266), (11, 0, 11), (11, ENOENT, 11), (26, EIO, 26)]
            as [(Int32, Int32, Int32)])
    func damageIsWhatWasRead(code: Int32, number: Int32, wanted: Int32) {
        errno = number
        let error = SQLiteError(nil, code: code)
        #expect(error.code == wanted)
        #expect(error.problem(with: "/x").isUnread == (wanted == 266))
    }

    @Test func aFullVolume() {
        let problem = SQLiteError(code: 13, message: "full").problem(with: "/a")
        #expect(problem.kind == .writeFailed && problem.advice == "Make room on that volume, then try again")
        #expect(SQLiteError(code: 19, message: "").problem(with: "/a").advice != problem.advice)
    }

    /// A failed write is not a failed read: SQLITE_IOERR_WRITE, FSYNC and TRUNCATE, beside SQLITE_IOERR_READ.
    @Test(arguments: [(778, true), (1034, true), (1546, true), (266, false)] as [(Int32, Bool)])
    func failedWriteIsNoFailedRead(code: Int32, isWrite: Bool) {
        let problem = SQLiteError(code: code, message: "disk I/O error").problem(with: "/a")
        #expect(problem.kind == (isWrite ? .writeFailed : .unreadable))
        #expect(problem.problem.contains(isWrite ? "cannot be written" : "cannot be read"))
    }
}
