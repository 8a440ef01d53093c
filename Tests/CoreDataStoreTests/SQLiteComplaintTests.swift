import Testing

@testable import CoreDataStore

/// A page that could not be read is none that is damaged.
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
}
