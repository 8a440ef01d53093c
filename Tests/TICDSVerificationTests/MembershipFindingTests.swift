import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct MembershipFindingTests {
    private static let pantry = "Documents/pantry"

    static let ofDocuments = [
        Damage(
            "0301", "Documents/pantry/documentInfo.plist",
            [(.breaksLists, [0, 1, 2], true), (.cannotRemove, [0, 1, 2], true)]
        ) {
            try $0.remove("\(pantry)/documentInfo.plist")
        },
        Damage(
            "0302", "Documents/pantry/IntegrityKey",
            [(.blocks, [0, 1, 2], true), (.cannotRegister, [], true)]
        ) {
            try $0.remove("\(pantry)/IntegrityKey")
        },
        Damage("0302", "Documents/pantry/IntegrityKey", encrypted: true) {
            try $0.remove("\(pantry)/IntegrityKey")
            try $0.makeFolder("\(pantry)/IntegrityKey")
        },
        Damage(
            "0303", "Documents/pantry/IntegrityKey/ANOTHER-KEY",
            [(.wipesUnsentEdits, [0, 1, 2], true), (.blocks, [0, 1, 2], true)]
        ) { try $0.write("\(pantry)/IntegrityKey/ANOTHER-KEY") },
        Damage(
            "0304", "Documents/pantry/IntegrityKey/KEY1",
            [(.blocks, [0, 1, 2], true), (.cannotRegister, [], true)]
        ) {
            try $0.remove("\(pantry)/IntegrityKey")
            try $0.write("\(pantry)/IntegrityKey/KEY1")
        },
        Damage("0314", "Documents/pantry/WholeStore", [(.cannotDownload, [], true)]) {
            try $0.remove("\(pantry)/WholeStore")
            try $0.makeFolder("\(pantry)/WholeStore")
        },
        Damage("0315", "Information/DeletedDocuments/pantry.plist", [(.harmless, [], false)]) {
            try $0.write("Information/DeletedDocuments/pantry.plist")
        },
    ]

    @Test(arguments: ofDocuments) func isFoundInADocument(_ damage: Damage) throws { try damage.check() }

    static let ofClients = [
        Damage("0305", "ClientDevices/<1>", [(.breaksLists, [0, 1, 2], true), (.cannotRemove, [1], false)]) {
            try $0.remove("ClientDevices/\($0.clients[1])")
        },
        Damage(
            "0306", "ClientDevices/<1>/deviceInfo.plist",
            [(.breaksLists, [0, 1, 2], true), (.cannotRemove, [1], false)]
        ) {
            try $0.remove("ClientDevices/\($0.clients[1])/deviceInfo.plist")
        },
        Damage("0307", "Documents/pantry/DeletedClients/<1>.plist", [(.wipesUnsentEdits, [1], false)]) {
            try $0.write("\(pantry)/DeletedClients/\($0.clients[1]).plist")
        },
        Damage(
            "0308", "Documents/pantry/SyncChanges/<1>",
            [(.blocks, [1], false), (.stopsVacuum, [0, 2], true)]
        ) {
            try $0.remove("\(pantry)/SyncChanges/\($0.clients[1])")
        },
        Damage("0308", "Documents/pantry/SyncChanges/<1>", [(.blocks, [1], false)]) {
            try $0.remove("\(pantry)/SyncChanges/\($0.clients[1])")
            try $0.remove("\(pantry)/RecentSyncs/\($0.clients[1]).recentsync")
        },
        Damage("0309", "Documents/pantry/SyncCommands/<2>", [(.cannotRemove, [2], false)]) {
            try $0.remove("\(pantry)/SyncCommands/\($0.clients[2])")
        },
        Damage(
            "0310", "Documents/pantry/RecentSyncs/<1>.recentsync",
            [(.stopsVacuum, [0, 2], true), (.cannotRegister, [1], false)]
        ) {
            try $0.remove("\(pantry)/SyncChanges/\($0.clients[1])")
            try $0.write("\(pantry)/DeletedClients/\($0.clients[1]).plist")
        },
        Damage("0310", "Documents/pantry/SyncCommands/<1>", [(.cannotRegister, [1], false)]) {
            try $0.remove("\(pantry)/SyncChanges/\($0.clients[1])")
            try $0.remove("\(pantry)/RecentSyncs/\($0.clients[1]).recentsync")
            try $0.write("\(pantry)/DeletedClients/\($0.clients[1]).plist")
        },
        Damage("0311", "Documents/pantry/RecentSyncs/<2>.recentsync", [(.vacuumsTooMuch, [2], false)]) {
            try $0.remove("\(pantry)/RecentSyncs/\($0.clients[2]).recentsync")
        },
        Damage("0312", "Documents/pantry/RecentSyncs/NOBODY.recentsync", [(.stopsVacuum, [0, 1, 2], true)]) {
            try $0.write("\(pantry)/RecentSyncs/NOBODY.recentsync")
        },
        Damage("0313", "Documents/pantry/WholeStore/<0>", [(.stopsVacuum, [0, 1, 2], true)]) {
            try $0.remove("\(pantry)/WholeStore/\($0.clients[0])/WholeStore.ticdsync")
        },
        Damage("0317", "Documents/pantry/WholeStore/NOBODY", [(.stopsVacuum, [0, 1, 2], true)]) {
            try $0.write("\(pantry)/WholeStore/NOBODY/WholeStore.ticdsync")
        },
        Damage("0318", "Documents/pantry/SyncCommands/<0>", [(.harmless, [], false)]) {
            try $0.write("\(pantry)/SyncCommands/\($0.clients[0])/0405432101.123456-A.synccmd")
        },
    ]

    @Test(arguments: ofClients) func isFoundForAClient(_ damage: Damage) throws { try damage.check() }

    @Test func aClientRemovedAsTheFrameworkDoesItLeavesNothingToFind() throws {
        let remote = try DamagedRemote()
        let client = remote.clients[1]
        for document in ["cookbook", "pantry"] {
            let path = "Documents/\(document)"
            try remote.copy(
                "ClientDevices/\(client)/deviceInfo.plist", to: "\(path)/DeletedClients/\(client).plist")
            try remote.remove("\(path)/SyncChanges/\(client)")
            try remote.remove("\(path)/SyncCommands/\(client)")
            try remote.remove("\(path)/RecentSyncs/\(client).recentsync")
        }
        try remote.remove("ClientDevices/\(client)")
        #expect(try remote.findings().map(\.kind.code) == [])
    }

    @Test func twoDocumentsLackingOneDeviceAreOneFinding() throws {
        let remote = try DamagedRemote()
        try remote.remove("ClientDevices/\(remote.clients[2])")
        #expect(try remote.findings().count == 1)
    }

    @Test func theLastWholeStoreIsMissedByNewClientsToo() throws {
        let remote = try DamagedRemote()
        try remote.remove("\(Self.pantry)/WholeStore/\(remote.clients[0])")
        try remote.remove("\(Self.pantry)/WholeStore/\(remote.clients[2])/WholeStore.ticdsync")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0313"])
        #expect(findings.first?.affected.map(\.consequence) == [.stopsVacuum, .cannotDownload])
    }

    /// Damage that affects only one variant.
    @Test(arguments: [
        ("SyncChanges/<0>/.DS_Store", "TICDS-0202"), ("WholeStore/<2>", "TICDS-0313"),
        ("WholeStore/NOBODY", "TICDS-0317"),
    ])
    func dropboxAlone(_ place: String, _ code: String) throws {
        let remote = try DamagedRemote()
        let path = Damage.named("Documents/cookbook/\(place)", remote)
        switch code {
        case "TICDS-0202": try remote.write(path)
        case "TICDS-0313": try remote.remove("\(path)/WholeStore.ticdsync")
        default: try remote.makeFolder(path)
        }
        let finding = try #require(try remote.findings().first)
        #expect(finding.kind.code == code)
        #expect(finding.affected.map(\.variant) == [.dropbox])
        #expect(
            finding.kind == .wholeStoreOfNobody || finding.kind.effects[0].text.hasSuffix("variant only)"))
    }

    @Test func aDeviceOfNoDocumentBreaksNoList() throws {
        let remote = try DamagedRemote()
        try remote.makeFolder("ClientDevices/SOMEBODY")
        let finding = try #require(try remote.findings().first { $0.kind == .deviceInfoMissing })
        #expect(finding.affected.map(\.consequence) == [.cannotRegister])
    }
}
