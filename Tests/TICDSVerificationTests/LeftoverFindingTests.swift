import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct LeftoverFindingTests {
    private static let pantry = "Documents/pantry"
    private static let cookbook = "Documents/cookbook"

    @Test func temporaryFilesAreCounted() throws {
        let remote = try DamagedRemote()
        try remote.write("\(Self.pantry)/TemporaryFiles/WholeStore/A/WholeStore.ticdsync", "12345")
        try remote.write("\(Self.pantry)/TemporaryFiles/WholeStore/A/AppliedSyncChangeSets.ticdsync", "678")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0901"])
        #expect(findings.first?.path.text == "\(Self.pantry)/TemporaryFiles")
        #expect(findings.first?.bytes == 8)
        #expect(findings.first?.found == "2 files")
    }

    @Test(arguments: [(170, false), (190, true)] as [(Int64, Bool)])
    func aClientThatIsBehindForHalfAYearIsQuiet(days: Int64, isFound: Bool) throws {
        let remote = try DamagedRemote()
        let sync = { "\(Self.cookbook)/RecentSyncs/\(remote.clients[$0]).recentsync" }
        let last = try #require(
            try remote.changeSets(of: 2).map { try FileStatus.of(remote.path($0)).modified }
                .max())
        try remote.setTime(sync(2), last)
        for client in 0..<2 {
            for set in try remote.changeSets(of: client)
            where try FileStatus.of(remote.path(set)).modified > last { try remote.remove(set) }
            try remote.setTime(sync(client), FileTime(seconds: last.seconds + days * 86_400))
        }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == (isFound ? ["TICDS-0902"] : []))
        guard let finding = findings.first else { return }
        #expect(finding.path.text == "\(Self.cookbook)/SyncChanges/\(remote.clients[2])")
        #expect(finding.affected.map(\.consequence) == [.stopsVacuum, .wastesSpace])
        #expect(finding.bytes ?? 0 > 0)
    }

    @Test func theRemedyRemovesAQuietClient() throws {
        let remote = try DamagedRemote()
        for document in ["pantry", "cookbook"] {
            for client in remote.clients.prefix(2) {
                try remote.setTime(
                    "Documents/\(document)/RecentSyncs/\(client).recentsync",
                    FileTime(seconds: 1_399_000_000))
            }
        }
        for finding in try remote.findings() {
            #expect(finding.kind == .quietClient)
            try remote.run(finding)
        }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0904"])
        let tombstone = remote.path("\(Self.pantry)/DeletedClients/\(remote.clients[2]).plist")
        let info = remote.path("ClientDevices/\(remote.clients[2])/deviceInfo.plist")
        #expect(try FileBytes.read(tombstone).count == FileBytes.read(info).count)
    }

    @Test func aRemoteThatAllHaveLeftHasNoQuietClients() throws {
        let remote = try DamagedRemote()
        #expect(try remote.findings(now: FileTime(seconds: 1_800_000_000)).map(\.kind.code) == [])
    }

    @Test func aDeviceWithoutDocumentIsALeftover() throws {
        try Damage("0904", "ClientDevices/ANOTHER-CLIENT", [(.harmless, [], false)]) {
            try $0.write("ClientDevices/ANOTHER-CLIENT/deviceInfo.plist")
        }.check()
    }
}
