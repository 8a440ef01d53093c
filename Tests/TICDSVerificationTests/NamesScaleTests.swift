import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Large and hostile remotes: checks must stay proportional to their size.
@Suite struct NamesScaleTests {
    /// The remote with this number of empty change sets, strays and clients in `pantry`, without other files of these.
    private static func context(sets: Int, strays: Int, clients: Int) throws -> VerificationContext {
        let remote = try DamagedRemote()
        let changes = remote.path("Documents/pantry/SyncChanges").string
        let folder = changes + "/" + remote.clients[0]
        for number in 0..<sets {
            let time = Double(390_000_000 + number)
            _ = FileManager.default.createFile(
                atPath: "\(folder)/0\(390_000_000 + number).000000-ABCDEF.syncchg", contents: nil,
                attributes: [.modificationDate: Date(timeIntervalSinceReferenceDate: time)])
        }
        for number in 0..<strays {
            _ = FileManager.default.createFile(atPath: "\(folder)/stray\(number)", contents: nil)
        }
        for number in 0..<clients {
            try FileManager.default.createDirectory(
                atPath: "\(changes)/client-\(number)", withIntermediateDirectories: false)
        }
        return try remote.context()
    }

    /// A list for each stray would take memory in proportion to the product of strays and clients.
    @Test func straysOfAFolderShareTheListOfClients() throws {
        let findings = ListingCheck.findings(try Self.context(sets: 10, strays: 30, clients: 20))
        let strays = findings.filter { $0.kind == .strayChangeSet }
        #expect(strays.count == 30)
        let lists = strays.map { stray in
            stray.affected[0].members.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(strays.first?.affected.first?.clients.count == 22)
        #expect(Set(lists).count == 1)
    }

    @Test func everyEntryOfALargeRemoteIsChecked() throws {
        let findings = ListingCheck.findings(try Self.context(sets: 400, strays: 300, clients: 100))
        let counts = Dictionary(findings.map { ($0.kind.code, 1) }, uniquingKeysWith: +)
        #expect(
            counts == [
                "TICDS-0222": 400, "TICDS-0201": 300, "TICDS-0305": 100, "TICDS-0309": 100, "TICDS-0311": 100,
            ])
    }

    @Test func timesFromTheEndsOfTheWorldDoNotOverflow() throws {
        let remote = try DamagedRemote()
        let tree = try RemoteSnapshot.take(remote.storage).tree
        for seconds in [Int64.min, -1 << 50, 1 << 50, .max] {
            let now = FileTime(seconds: seconds)
            let context = VerificationContext(
                storage: remote.storage, snapshot: RemoteSnapshot(tree), keyring: remote.clean.keyring,
                now: now)
            #expect(ListingCheck.findings(context).isEmpty == (seconds > 0))
        }
    }
}
