import TICDSCore
import TICDSVerification
import Testing

@Suite struct AffectedTests {
    private static let clients: [RemoteName] = ["a", "b", "c", "d"]

    @Test(arguments: ["a", "b", "d", "absent", nil] as [RemoteName?])
    func countIsThatOfTheClients(exception: RemoteName?) {
        let affected = Affected(.silentlyLost, clients: Self.clients, but: exception)
        #expect(affected.count == affected.clients.count)
        #expect(affected.first(2) == Array(affected.clients.prefix(2)))
        #expect(affected.first(9) == affected.clients)
    }

    /// Equal clients are equal, whether a client is left out of a shared list or missing in a list.
    @Test func formsOfEqualClientsAreEqual() {
        let one = Affected(.silentlyLost, clients: Self.clients, but: "b")
        let other = Affected(.silentlyLost, clients: ["a", "c", "d"])
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != Affected(.silentlyLost, clients: Self.clients, but: "c"))
    }

    @Test(
        arguments: [
            (["a", "b"], nil, ["a", "b"], nil, ["a", "b"]), (["a", "b"], "a", ["a", "b"], "a", ["b"]),
            (["a", "b"], "a", ["a", "b"], "b", ["a", "b"]), (["a", "b"], "a", ["a", "b"], nil, ["a", "b"]),
            (["a", "b"], "z", ["a", "b"], "a", ["a", "b"]), (["a", "b"], "a", ["c"], nil, ["b", "c"]),
            (["c"], nil, ["a", "b"], "b", ["a", "c"]), ([], nil, ["a"], nil, ["a"]),
        ] as [([RemoteName], RemoteName?, [RemoteName], RemoteName?, [RemoteName])])
    func joiningGivesTheClientsOfBoth(
        one: [RemoteName], but: RemoteName?, other: [RemoteName], orBut: RemoteName?, all: [RemoteName]
    ) {
        let joined = Affected(.crashes, clients: one, but: but, newClients: true)
            .joined(with: Affected(.silentlyLost, clients: other, but: orBut))
        #expect(joined.clients == all)
        #expect(joined.consequence == .crashes && joined.newClients)
    }
}
