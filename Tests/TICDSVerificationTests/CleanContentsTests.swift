import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// An intact remote has no findings.
@Suite struct CleanContentsTests {
    @Test(arguments: CleanRemote.Kind.allCases)
    func aCleanRemoteHasNoFindings(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 6)
        #expect(try remote.headers().summary == [])
        #expect(try remote.contents().summary == [])
        let context = try remote.context()
        for document in context.snapshot.documents {
            #expect(DocumentStoresCheck.findings(of: document, context, damaged: []).summary == [])
        }
    }

    @Test func aLockedRemoteIsNotChecked() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        #expect(try remote.contents(keyring: RemoteKeyring(.locked)).summary == [])
    }

    /// Large files are still authenticated.
    @Test func littleMemorySuffices() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let found = try remote.contents(memoryLimit: 600)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.kind == .tooLarge }, "\(found.summary)")
        try remote.damage(try remote.changeSet()) { $0[200] ^= 1 }
        let bad = try remote.contents(memoryLimit: 600).filter { $0.kind != .tooLarge }
        #expect(bad.summary == ["TICDS-0506 \(try remote.changeSet())"])
    }
}
