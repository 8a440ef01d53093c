import Base
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

/// Reports of remotes whose change sets are only counted, compared with reports from listed sets.
@Suite struct CountedSetsTests {
    private static let names = (0..<6).map {
        "033000000\($0).500000-0123456\($0)-89AB-CDEF-0123-456789ABCDEF"
    }

    private func builder() throws -> RemoteBuilder {
        let builder = try RemoteBuilder().skeleton().document("Notebook")
        for client in ["CLIENT-A", "CLIENT-B"] { try builder.client(client).join(client, "Notebook") }
        for (number, name) in Self.names.enumerated() {
            // Two sets have the latest time.
            try builder.changeSet(
                name, of: "CLIENT-A", in: "Notebook", time: Int64(min(number, 4)) * 1000,
                content: String(repeating: "x", count: number + 2))
        }
        return try builder.wholeStore(of: "CLIENT-B", in: "Notebook", time: 4000)
            .write("Documents/Notebook/WholeStore/CLIENT-B/AppliedSyncChangeSets.ticdsync", "xx", time: 4500)
    }

    /// Everything that the report contains, as text.
    private func report(
        _ storage: some RemoteStorage, _ keyring: RemoteKeyring = RemoteKeyring(.plain), countsSets: Bool
    ) throws -> String {
        let sources = ReportSources(storage, keyring: keyring) { _ in Set(Self.names.prefix(2) + ["gone"]) }
        let snapshot = try RemoteSnapshot.take(storage, countsSets: countsSets)
        return "\(RemoteReport(snapshot, sources: sources)) \(snapshot.signsOfEncryption)"
    }

    @Test(arguments: InspectSampleTests.answered) func reportsOfSamplesAreTheSame(_ name: String) throws {
        let sample = try Sample(name)
        try withExtendedLifetime(sample) {
            let storage = try sample.storage()
            #expect(try report(storage, countsSets: true) == report(storage, countsSets: false))
        }
    }

    @Test func ordinarySetsAreCounted() throws {
        let builder = try builder()
        let storage = builder.storage
        defer { withExtendedLifetime(builder) {} }
        let clients = try #require(RemoteSnapshot.take(storage, countsSets: true).documents.first).clients
        #expect(
            clients[0].changeSets.isEmpty && clients[0].changeSets.totals == FileTotals(count: 6, bytes: 27))
        #expect(clients[0].changeSets.newest?.text == Self.names[4] + RemoteLayout.changeSetSuffix)
        #expect(clients[1].changeSets.newest == nil && clients[1].changeSets.times == nil)
        let text = try report(storage, countsSets: true)
        #expect(text == (try report(storage, countsSets: false)))
        #expect(text.contains("changeSets: 4, oldest: 1970-01-01T00:33:20.000Z"), "\(text)")
    }

    /// A folder with any other entry is listed as a whole.
    @Test(arguments: [
        ".DS_Store", names[0].lowercased() + ".syncchg", names[0] + " (conflicted copy).syncchg",
        names[5] + "x.syncchg", "set.syncchg", ".hidden.syncchg", names[1] + ".syncchg.nextcloud",
        "9" + names[1] + ".syncchg", names[1].replacing("-89AB", with: "-89AG") + ".syncchg", "folder/file",
    ])
    func otherEntriesAreListed(_ name: String) throws {
        let builder = try builder().write("Documents/Notebook/SyncChanges/CLIENT-A/\(name)", "xx", time: 5000)
        let snapshot = try RemoteSnapshot.take(builder.storage, countsSets: true)
        #expect(snapshot.documents.first?.clients.first?.changeSets.counted == nil)
        #expect(try report(builder.storage, countsSets: true) == report(builder.storage, countsSets: false))
    }

    @Test(arguments: ["", "x"]) func setsWithoutContentAreListed(_ content: String) throws {
        let builder = try builder()
        try builder.changeSet(Self.names[2], of: "CLIENT-A", in: "Notebook", time: 2000, content: content)
        let text = try report(builder.storage, countsSets: true)
        #expect(text == (try report(builder.storage, countsSets: false)))
        #expect(text.contains(content.isEmpty ? "emptyFile" : "notDownloaded"))
    }

    /// The other forms of names that the framework makes.
    @Test(arguments: [
        ("0001-01234567-89AB-CDEF-0123-456789ABCDEF", true),
        ("01234567-89AB-CDEF-0123-456789ABCDEF", true),
        ("0330000000.500000-01234567-89AB-CDEF-0123-456789ABCDEF-123-0123456789ABCDEF", true),
        ("0330000000,500000-01234567-89AB-CDEF-0123-456789ABCDEF", true),
        ("0330000000.500000-01234567-89ab-CDEF-0123-456789ABCDEF", false), ("set", false), ("", false),
    ])
    func namesOfTheFramework(_ identifier: String, _ isOrdinary: Bool) {
        let name = Array((identifier + RemoteLayout.changeSetSuffix).utf8)
        #expect(name.withUnsafeBytes { CountedSets.isOrdinary($0) } == isOrdinary)
    }
}
