import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct XMLKindTests {
    private static let doctype =
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n<database>"
    private static let late = "<?xml?><!--\(String(repeating: " ", count: 2000))--><database>"

    @Test(
        arguments: [
            ("<?xml version=\"1.0\"?>\n\(doctype)", .store),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\(doctype)", .store),
            ("\u{FEFF}\n <?xml version=\"1.0\"?><!-- plist --><?a b?>\n<database>", .store),
            ("<database/>", .store), ("<!DOCTYPE database>", .store),
            ("<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC", .propertyList),
            ("\n<plist version=\"1.0\"><dict><key>database</key>", .propertyList),
            ("<?xml version=\"1.0\"?><html>", .other), ("<?xml version=\"1.0\"", .other),
            ("<?xml?>", .other), ("<?xml?>database", .other),
            (late, .other),
            ("<html>", nil), ("", nil), ("database", nil), ("bplist00", nil),
        ] as [(String, XMLKind?)])
    func beginnings(_ text: String, _ expected: XMLKind?) {
        let bytes = SharedBytes(Array(text.utf8))
        #expect(XMLKind(bytes) == expected)
        #expect(XMLKind.isXML(bytes) == (expected != nil))
    }

    /// A store is opened, whatever precedes its root element; a property list is not a store.
    @Test(arguments: ["<?xml version=\"1.0\"?>\(doctype)", "\u{FEFF}\n<database>", "<database>"])
    func storesAreOpened(_ text: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-xml")
        let file = folder.path.appending("store")
        let start = text.hasSuffix("<database>") ? text : text + "<database>"
        try TestFiles.write(file, Array("\(start)<databaseInfo></databaseInfo></database>".utf8))
        #expect(try PersistentStores.open(file).objectCounts() == [])
        try TestFiles.write(file, Array("<?xml version=\"1.0\"?><plist version=\"1.0\"></plist>".utf8))
        let problem = try #require(throws: FileProblem.self) { try PersistentStores.open(file) }
        #expect(problem.kind == .unsupported && problem.problem.contains("property list"), "\(problem)")
    }
}
