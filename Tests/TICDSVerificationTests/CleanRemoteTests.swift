import TICDSVerification
import TestSupport
import Testing
import TICDSCore

@Suite struct CleanRemoteTests {
    @Test(arguments: CleanRemote.Kind.allCases)
    func isARemote(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind)
        let context = try remote.context()
        #expect(context.snapshot.isEncrypted == kind.isEncrypted)
        #expect(remote.clients.count == 3)
        #expect(context.snapshot.documents.allSatisfy { $0.temporaryFiles.isEmpty })
        #expect(context.snapshot.strays.isEmpty)
        let store = try remote.plain(
            "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync")
        #expect(store.starts(with: kind.isZipped ? Array("PK".utf8) : Array("SQLite".utf8)))
    }
}
