import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing

@testable import TICDSVerification

/// Large and hostile remotes: what is judged must stay proportional to their size.
@Suite struct NamesScaleTests {
    /// The remote with so many empty change sets, strays and clients without anything more in `pantry`.
    private static func context(sets: Int, strays: Int, clients: Int) throws -> VerificationContext {
        let remote = try DamagedRemote()
        let folder = "Documents/pantry/SyncChanges/\(remote.clients[0])"
        for number in 0..<sets {
            let time = 390_000_000 + number
            try remote.write(
                "\(folder)/0\(time).000000-ABCDEF.syncchg", "", time: Int64(time) + 978_307_200)
        }
        for number in 0..<strays { try remote.write("\(folder)/stray\(number)", "") }
        for number in 0..<clients { try remote.makeFolder("Documents/pantry/SyncChanges/client-\(number)") }
        return try remote.context()
    }

    @Test func timeIsLinearInTheNumberOfEntries() throws {
        func duration(_ factor: Int) throws -> Duration {
            let context = try Self.context(sets: 200 * factor, strays: 200 * factor, clients: 100 * factor)
            var findings: [Finding] = []
            let duration = ContinuousClock().measure { findings = NamesJudge.findings(context) }
            #expect(findings.count == (200 + 200 + 3 * 100) * factor)
            return duration
        }
        let small = try duration(1)
        let large = try duration(4)
        #expect(large < small * 10, "\(small) for one, \(large) for four")
    }

    @Test func timesFromTheEndsOfTheWorldDoNotOverflow() throws {
        let remote = try DamagedRemote()
        let tree = try RemoteSnapshot.take(remote.storage).tree
        for seconds in [-1 << 50, 1 << 50] as [Int64] {
            let now = FileTime(seconds: seconds)
            let context = VerificationContext(
                storage: remote.storage, snapshot: RemoteSnapshot(tree), vault: remote.clean.vault, now: now)
            #expect(NamesJudge.findings(context).isEmpty == (seconds > 0))
        }
    }
}
