import SystemCalls
import SystemPackage
import TICDSRepair
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSOperations

/// Every repairable damage to names, times and membership is repaired, in unencrypted and in encrypted remotes, and
/// causes no new fault.
@Suite struct RepairNamesTests {
    static let damages: [Damage] = {
        let all =
            StrayFindingTests.inFolders + StrayFindingTests.copies + StrayFindingTests.cloudFiles
            + MembershipFindingTests.ofDocuments + MembershipFindingTests.ofClients
            + FolderFindingTests.damages + NameFindingTests.damages + TimeFindingTests.futureFiles
        return all.filter { Catalogue.kind($0.code)?.repair != .byHand }
    }()

    /// The files that only a client or a back-up can restore, by code and the end of the path.
    private static let leftOut: [(code: String, end: String)] = [
        ("0223", "Encryption/salt.ticdsync"), ("0223", "AppliedSyncChangeSets.ticdsync"),
        ("0104", "Encryption/salt.ticdsync"),
    ]

    /// The findings that appear only once a folder exists again.
    private static let afterwards: [(code: String, end: String, then: Set<String>)] = [
        ("0103", "RecentSyncs", ["TICDS-0311"]), ("0103", "WholeStore", ["TICDS-0314"]),
        ("0308", "", ["TICDS-0311"]), ("0102", "Documents", ["TICDS-0110"]),
        ("0405", ".recentsync", ["TICDS-0902"]),
        ("0104", "RecentSyncs", ["TICDS-0311"]), ("0104", "WholeStore", ["TICDS-0314"]),
    ]

    @Test(arguments: damages, [false, true]) func isRepaired(_ damage: Damage, encrypted: Bool) throws {
        if damage.path.hasPrefix("Encryption"), encrypted != damage.isEncrypted { return }
        let remote = try DamagedRemote(encrypted: encrypted)
        try damage.inflict(remote)
        let repaired = RepairedRemote(remote)
        #expect(try repaired.codes() == ["TICDS-" + damage.code])
        let before = try picture(of: remote.root)
        let repair = try repaired.plan()
        if Self.leftOut.contains(where: { $0.code == damage.code && damage.path.hasSuffix($0.end) }) {
            #expect(repair.plan.actions.isEmpty && repair.left.count == 1)
            return
        }
        #expect(repair.left.isEmpty, "\(repair.left.map(\.reason))")
        try repaired.execute(repair)
        var after = Set(try repaired.codes())
        for item in Self.afterwards where item.code == damage.code && damage.path.hasSuffix(item.end) {
            after.subtract(item.then)
        }
        #expect(after == [])
        if encrypted { return }
        try repaired.undo()
        #expect(try picture(of: remote.root) == before)
    }
}
