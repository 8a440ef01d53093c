import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import Testing

@Suite struct NameResolverTests {
    private let names = NameResolver(
        noun: "client", option: "--client", remote: "/remote",
        items: .all([
            NamedItem("AB12", "Anna's iPad"),
            NamedItem("F0", "Børge’s Téléphone"),
            NamedItem("AB34", "Mac"),
            NamedItem("Mac-9", "Old"),
            NamedItem("CD", "Twin"),
            NamedItem("CE", "Twin"),
        ]))

    @Test(arguments: [
        ("AB12", "AB12"), ("ab34", "AB34"), ("mac", "AB34"), ("Mac-", "Mac-9"), ("ab1", "AB12"),
        ("anna’s ipad", "AB12"), ("IPAD", "AB12"), ("annas ipad", "AB12"), ("borges telephone", "F0"),
        ("borge's telephone", "F0"), ("BØRGE", "F0"),
        ("téléph", "F0"),
        ("ol", "Mac-9"),
    ])
    func finds(name: String, identifier: String) throws {
        #expect(try names.item(name).identifier.text == identifier)
    }

    @Test(arguments: ["AB", "Twin", "C"])
    func refusesSeveral(name: String) {
        let error = #expect(throws: FileProblem.self) { try names.item(name) }
        #expect(error?.kind == .ambiguous)
        // Two items have the same description: only the identifier distinguishes them.
        #expect(error?.advice == "Choose one with --client \(name == "AB" ? "NAME" : "IDENTIFIER")")
    }

    @Test func listsWhatThereIs() {
        let error = #expect(throws: FileProblem.self) { try names.item("nobody") }
        #expect(error?.kind == .unknownName)
        #expect(error?.found?.contains("\"Anna's iPad\" AB12") == true)
        let near = #expect(throws: FileProblem.self) { try names.item("Anas iPat") }
        #expect(near?.advice == "Did you mean \"Anna's iPad\"?")
        #expect("\(near ?? .init(.missing, path: "", ""))".hasSuffix("iPad\"?"))
        #expect(throws: FileProblem.self) { try names.item("") }
        #expect(throws: FileProblem.self) { try names.only() }
    }

    @Test func longListHasACount() {
        let items = (1...12).map { NamedItem(RemoteName("client-\($0)")) }
        let names = NameResolver(noun: "client", option: nil, remote: "/remote", items: .all(items))
        let error = #expect(throws: FileProblem.self) { try names.item("nobody") }
        #expect(error?.found?.hasSuffix(", client-10 and 2 more") == true)
    }

    /// A name that matches nothing may be that of an unread item, and an unread item may exist beside the only one.
    @Test func saysWhyItemsAreMissing() throws {
        let unread = FileProblem(.unreadable, path: "/remote/Documents", "cannot be read")
        func names(_ items: [NamedItem]) -> NameResolver {
            NameResolver(
                noun: "document", option: "--document", remote: "/remote", items: .some(items, unread))
        }
        #expect(throws: unread) { try names([NamedItem("AB12")]).item("nobody") }
        #expect(throws: unread) { try names([NamedItem("AB12")]).only() }
        #expect(throws: unread) { try names([]).only() }
        #expect(try names([NamedItem("AB12")]).item("AB12").identifier == "AB12")
    }
}
