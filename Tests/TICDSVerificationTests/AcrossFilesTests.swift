import Base
import KeyedArchive
import SystemCalls
import TICDSVerification
import TestSupport
import Testing
import TICDSCore

@Suite struct AcrossFilesTests {
    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func twoClientsThatLookLikeOneDevice(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 6)
        let place = "ClientDevices/\(remote.clients[1])/deviceInfo.plist"
        let info = DeviceInfo(description: "Anna’s MacBook Pro", identifier: remote.clients[1])
        try remote.write(place, try info.bytes(path: remote.path(place)))
        let findings = Verifier(try remote.context()).verify().report.findings
        #expect(findings.map(\.kind.code) == ["TICDS-0316"])
        let pair = remote.clients[..<2].sorted()
        #expect(findings.first?.client?.text == pair[0])
        #expect(findings.first?.found?.contains(pair[1]) == true)
    }

    /// The layout of one fork: a folder for each store, blobs beside the clients.
    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func blobsThatNoManifestNames(kind: CleanRemote.Kind) throws {
        let remote = try forkedRemote(kind, manifest: .dictionary(["A": .string("blob-1")]))
        let findings = try orphans(remote)
        #expect(findings.count == 1)
        #expect(findings.first?.path == ["Documents", "cookbook", "WholeStore", "SharedExternalData"])
        #expect(findings.first?.subject == "blob-2")
        #expect(findings.first?.found == "1 of 2 files that no manifest names")
        #expect((findings.first?.bytes ?? 0) > 0)
    }

    @Test func blobsThatAreNamed() throws {
        let remote = try forkedRemote(
            .plain, manifest: .dictionary(["blob-1": .array([.string("x"), .string("blob-2")])]))
        #expect(try orphans(remote).isEmpty)
    }

    @Test func withoutAReadableManifestNothingIsSaid() throws {
        let remote = try forkedRemote(.plain, manifest: .dictionary([:]))
        try remote.damage(manifest(remote)) { $0 = [1, 2, 3] }
        #expect(try orphans(remote).isEmpty)
        try remote.remove(manifest(remote))
        #expect(try orphans(remote).isEmpty)
    }

    private func orphans(_ remote: CleanRemote) throws -> [Finding] {
        Verifier(try remote.context()).verify().report.findings.filter { $0.kind.code == "TICDS-0708" }
    }

    private func manifest(_ remote: CleanRemote) -> String {
        "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA/manifest.plist"
    }

    private func forkedRemote(_ kind: CleanRemote.Kind, manifest: ArchivedValue) throws -> CleanRemote {
        let remote = try CleanRemote(kind, changeSets: 6)
        let store = "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync"
        let bytes = try remote.plain(store)
        try remote.remove(store)
        try remote.write("\(store)/Data", bytes)
        try remote.write(self.manifest(remote), try BinaryPropertyListWriter.bytes(of: manifest))
        for name in ["blob-1", "blob-2"] {
            try remote.write(
                "Documents/cookbook/WholeStore/SharedExternalData/\(name)", Array("a picture".utf8))
        }
        return remote
    }
}
