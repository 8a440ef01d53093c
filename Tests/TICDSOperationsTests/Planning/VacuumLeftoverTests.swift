import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The remains of uploads in `TemporaryFiles`.
@Suite struct VacuumLeftoverTests {
    private static let folder = "Documents/notes/TemporaryFiles/"

    private static func leftovers(_ settings: inout VacuumSettings) { settings.takesLeftovers = true }

    private func remote() throws -> VacuumRemote {
        var remote = try VacuumRemote("anna", "berta")
        try remote.store(of: "anna", daysAgo: 50, naming: [])
        try leave("WholeStore/anna/WholeStore.ticdsync", in: remote, daysAgo: 50)
        try leave("WholeStore/anna/AppliedSyncChangeSets.ticdsync", in: remote, daysAgo: 50)
        try age("WholeStore/anna", in: remote, daysAgo: 50)
        return remote
    }

    private func leave(_ name: String, in remote: VacuumRemote, daysAgo: Double) throws {
        try remote.builder.write(Self.folder + name, "leftover", time: VacuumRemote.time(daysAgo: daysAgo))
    }

    private func age(_ name: String, in remote: VacuumRemote, daysAgo: Double) throws {
        let place = remote.builder.root.pushing(FilePath(Self.folder + name))
        try TestFiles.setTime(place, FileTime(seconds: VacuumRemote.time(daysAgo: daysAgo)))
    }

    @Test func goWhole() throws {
        let remote = try remote()
        #expect(try remote.removed() == [])
        #expect(try remote.removed(Self.leftovers) == ["anna"])
        let leftover = try #require(try remote.analyse(Self.leftovers).leftovers.first)
        #expect(leftover.files == FileTotals(count: 2, bytes: 16))
        #expect(leftover.path == ["Documents", "notes", "TemporaryFiles", "WholeStore", "anna"])
        let plan = try remote.plan(Self.leftovers)
        #expect(plan.summary == "Remove 1 leftover of uploads, 16 B")
        #expect(!plan.notes.contains { $0.text.contains("registers") }, "no change set goes")
    }

    @Test func stayWhileAnUploadMayBeUnderWay() throws {
        let remote = try remote()
        try age("WholeStore/anna", in: remote, daysAgo: 0.9)
        #expect(try remote.removed(Self.leftovers) == [])
        try age("WholeStore/anna", in: remote, daysAgo: 1)
        #expect(try remote.removed(Self.leftovers) == ["anna"])
    }

    @Test func stayWhereTheyAreTheOnlyCopyOfAStore() throws {
        let remote = try remote()
        try leave("WholeStore/berta/WholeStore.ticdsync", in: remote, daysAgo: 50)
        try age("WholeStore/berta", in: remote, daysAgo: 50)
        #expect(try remote.removed(Self.leftovers) == ["anna"])
        #expect(try remote.plan(Self.leftovers).notes.contains { $0.text.contains("only copy") })
    }

    @Test func goWithAClientThatIsGone() throws {
        let remote = try remote()
        try leave("WholeStore/gone1/WholeStore.ticdsync", in: remote, daysAgo: 50)
        try age("WholeStore/gone1", in: remote, daysAgo: 50)
        #expect(try remote.removed(Self.leftovers) == ["anna", "gone1"])
    }

    @Test("Temporary names go; what verification checks stays") func names() throws {
        let remote = try remote()
        for name in ["upload.tmp", "zip-5F3A", ".DS_Store", ".x.icloud"] {
            try leave(name, in: remote, daysAgo: 50)
        }
        try remote.builder.link(Self.folder + "link", to: "/etc")
        #expect(try remote.removed(Self.leftovers) == ["anna", "upload.tmp", "zip-5F3A"])
    }
}
