import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct StrayFindingTests {
    private static let pantry = "Documents/pantry"

    static let inFolders = [
        Damage("0201", "Documents/pantry/SyncChanges/<0>/desktop.ini", [(.blocks, [1, 2], true)]) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/desktop.ini")
        },
        Damage("0201", "Documents/pantry/SyncChanges/<1>/desktop.ini", encrypted: true) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[1])/desktop.ini")
        },
        Damage("0201", "Documents/pantry/SyncChanges/<0>/Icon\r") {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/Icon\r")
        },
        Damage("0201", "Documents/pantry/SyncChanges/<0>/folder", [(.blocks, [1, 2], true)]) {
            try $0.makeFolder("\(pantry)/SyncChanges/\($0.clients[0])/folder")
        },
        Damage(
            "0201", "Documents/pantry/SyncChanges/<0>/~$notes.syncchg",
            [(.silentlyLost, [1, 2], true), (.crashes, [1, 2], true)]
        ) { try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/~$notes.syncchg") },
        Damage(
            "0201", "Documents/pantry/SyncChanges/<0>/~$notes.syncchg", encrypted: true,
            [(.blocks, [1, 2], true)]
        ) { try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/~$notes.syncchg") },
        Damage("0202", "Documents/pantry/SyncChanges/<0>/.DS_Store", [(.blocks, [1, 2], true)]) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/.DS_Store")
        },
        Damage(
            "0203", "Documents/pantry/SyncChanges/.DS_Store",
            [(.breaksLists, [0, 1, 2], true)]
        ) { try $0.write("\(pantry)/SyncChanges/.DS_Store") },
        Damage("0203", "Documents/pantry/SyncChanges/notes.txt") {
            try $0.write("\(pantry)/SyncChanges/notes.txt")
        },
        Damage(
            "0204", "Documents/pantry/IntegrityKey/.DS_Store",
            [(.wipesUnsentEdits, [0, 1, 2], true), (.blocks, [0, 1, 2], true)]
        ) { try $0.write("\(pantry)/IntegrityKey/.DS_Store") },
        Damage("0205", "Documents/pantry/RecentSyncs/.DS_Store", [(.stopsVacuum, [0, 1, 2], true)]) {
            try $0.write("\(pantry)/RecentSyncs/.DS_Store")
        },
        Damage("0205", "Documents/pantry/RecentSyncs/notes", encrypted: true) {
            try $0.write("\(pantry)/RecentSyncs/notes")
        },
        Damage("0206", "ClientDevices/Thumbs.db", [(.cannotRegister, [0, 1, 2], true)]) {
            try $0.write("ClientDevices/Thumbs.db")
        },
        Damage("0207", "Documents/notes.txt", [(.breaksLists, [0, 1, 2], true)]) {
            try $0.write("Documents/notes.txt")
        },
        Damage("0208", "Documents/pantry/WholeStore/notes.txt", [(.harmless, [], false)]) {
            try $0.write("\(pantry)/WholeStore/notes.txt")
        },
        Damage("0209", "Documents/.DS_Store", [(.harmless, [], false)]) {
            try $0.write("Documents/.DS_Store")
        },
        Damage("0209", "desktop.ini") { try $0.write("desktop.ini") },
        Damage("0209", "Documents/pantry/SyncChanges/<0>/.abc") {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[0])/.abc")
        },
        Damage("0209", "Documents/pantry/IntegrityKey/.abc") { try $0.write("\(pantry)/IntegrityKey/.abc") },
    ]

    @Test(arguments: inFolders) func isFound(_ damage: Damage) throws { try damage.check() }

    @Test func aBackUpNamedLikeASetDoesNoHarm() throws {
        let remote = try DamagedRemote()
        let set = try remote.changeSets(of: 0)[0]
        let copy = set.dropLast(".syncchg".count) + ".bak"
        try remote.copy(set, to: String(copy))
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0201"])
        #expect(findings.first?.affected == [Affected(.harmless, clients: [])])
    }

    // MARK: Copies

    static let copies = [
        Damage(
            "0211", "Documents/pantry/SyncChanges/<1> (1)",
            [(.breaksLists, [0, 1, 2], true), (.appliedTwice, [], true)]
        ) {
            try $0.makeFolder("\(pantry)/SyncChanges/\($0.clients[1]) (1)")
        },
        Damage(
            "0212", "Documents/pantry/RecentSyncs/<1> (Bob's conflicted copy 2013-05-01).recentsync",
            [(.stopsVacuum, [0, 1, 2], true)]
        ) {
            try $0.write(
                "\(pantry)/RecentSyncs/\($0.clients[1]) (Bob's conflicted copy 2013-05-01).recentsync")
        },
        Damage("0214", "Documents/pantry/documentInfo 2.plist", [(.harmless, [], false)]) {
            try $0.write("\(pantry)/documentInfo 2.plist")
        },
        Damage("0214", "ClientDevices/<1> (1)") { try $0.makeFolder("ClientDevices/\($0.clients[1]) (1)") },
        Damage(
            "0215", "Documents/pantry/WholeStore/<0> (1)",
            [(.stopsVacuum, [0, 1, 2], true), (.wrongData, [], true)]
        ) { try $0.makeFolder("\(pantry)/WholeStore/\($0.clients[0]) (1)") },
    ]

    @Test(arguments: copies) func isFoundAsACopy(_ damage: Damage) throws { try damage.check() }

    @Test(arguments: [false, true]) func aCopiedSetIsAppliedTwiceByAllButItsAuthor(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 1)[0]
        let copy = set.dropLast(".syncchg".count) + " (1).syncchg"
        try remote.copy(set, to: String(copy))
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0210"])
        let finding = try #require(findings.first)
        #expect(finding.path.text == copy)
        #expect(finding.subject == FilePath(set).lastComponent?.string)
        let others = [0, 2].map { RemoteName(remote.clients[$0]) }.sorted()
        #expect(finding.affected == [Affected(.appliedTwice, clients: others, newClients: true)])
        #expect(
            finding.remedy(under: "/r").last?.hasPrefix("mkdir -p ~/ticds-set-aside && mv -n '/r/") == true)
    }

    @Test(arguments: [false, true], ["-DESKTOP-X", "_Andy-PC_Jan-03-0901-2013_CaseConflict_1", " - Copy"])
    func aCopyUnderAnotherServicesNameIsFound(encrypted: Bool, mark: String) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 1)[0]
        let copy = set.dropLast(".syncchg".count) + mark + ".syncchg"
        try remote.copy(set, to: String(copy))
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0210"])
        #expect(findings.first?.path.text == String(copy))
        #expect(findings.first?.subject == FilePath(set).lastComponent?.string)
    }

    @Test func aCopiedKeyMayBeTakenForTheKey() throws {
        let remote = try DamagedRemote()
        let folder = "Documents/pantry/IntegrityKey"
        let key = try #require(
            try remote.storage.list(["Documents", "pantry", "IntegrityKey"]).listing.first?.name)
        try remote.copy("\(folder)/\(key)", to: "\(folder)/\(key) (1)")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0213"])
        #expect(findings.first?.affected.map(\.consequence) == [.wipesUnsentEdits, .blocks])
    }

    // MARK: Cloud services

    static let cloudFiles = [
        Damage("0220", "ClientDevices/<1>/.deviceInfo.plist.icloud", [(.harmless, [], false)]) {
            try $0.remove("ClientDevices/\($0.clients[1])/deviceInfo.plist")
            try $0.write("ClientDevices/\($0.clients[1])/.deviceInfo.plist.icloud")
        },
        Damage(
            "0220", "Documents/pantry/RecentSyncs/.<1>.recentsync.icloud",
            [(.vacuumsTooMuch, [0, 1, 2], true)]
        ) {
            try $0.remove("\(pantry)/RecentSyncs/\($0.clients[1]).recentsync")
            try $0.write("\(pantry)/RecentSyncs/.\($0.clients[1]).recentsync.icloud")
        },
        Damage("0220", "Documents/pantry/SyncChanges/<1>/a.syncchg.nextcloud", [(.blocks, [0, 2], true)]) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[1])/a.syncchg.nextcloud", "x")
        },
        Damage("0220", "Documents/pantry/SyncChanges/<1>/a.syncchg.firm", [(.blocks, [0, 2], true)]) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[1])/a.syncchg.firm", "x")
        },
        Damage("0220", "Documents/pantry/documentInfo.plist.owncloud", [(.harmless, [], false)]) {
            try $0.remove("\(pantry)/documentInfo.plist")
            try $0.write("\(pantry)/documentInfo.plist.owncloud", "x")
        },
        Damage("0224", "ClientDevices/<1>/deviceInfo.plist", [(.breaksLists, [0, 1, 2], true)]) {
            try $0.write("ClientDevices/\($0.clients[1])/deviceInfo.plist", "x")
        },
        Damage("0224", "Documents/pantry/documentInfo.plist", [(.breaksLists, [0, 1, 2], true)]) {
            try $0.hole("\(pantry)/documentInfo.plist", 400)
        },
        Damage(
            "0224", "Encryption/salt.ticdsync", encrypted: true,
            [(.cannotRegister, [0, 1, 2], true), (.blocks, [0, 1, 2], true)]
        ) { try $0.hole("Encryption/salt.ticdsync", 16) },
        Damage("0224", "Documents/pantry/WholeStore/<0>/WholeStore.ticdsync", [(.cannotDownload, [], true)]) {
            try $0.hole("\(pantry)/WholeStore/\($0.clients[0])/WholeStore.ticdsync", 1 << 40)
        },
        Damage("0221", "Documents/pantry/SyncChanges/<1>/a.syncchg.part", [(.blocks, [0, 2], true)]) {
            try $0.write("\(pantry)/SyncChanges/\($0.clients[1])/a.syncchg.part")
        },
        Damage("0221", "Documents/pantry/documentInfo.plist.part", [(.harmless, [], false)]) {
            try $0.remove("\(pantry)/documentInfo.plist")
            try $0.write("\(pantry)/documentInfo.plist.part")
        },
        Damage("0223", "ClientDevices/<1>/deviceInfo.plist", [(.breaksLists, [0, 1, 2], true)]) {
            try $0.write("ClientDevices/\($0.clients[1])/deviceInfo.plist", "")
        },
        Damage("0223", "Documents/pantry/documentInfo.plist", encrypted: true) {
            try $0.write("\(pantry)/documentInfo.plist", "")
        },
        Damage(
            "0223", "Encryption/salt.ticdsync", encrypted: true,
            [(.cannotRegister, [0, 1, 2], true), (.blocks, [0, 1, 2], true)]
        ) {
            try $0.write("Encryption/salt.ticdsync", "")
        },
        Damage("0223", "Encryption/test.ticdsync", encrypted: true, [(.cannotRegister, [0, 1, 2], true)]) {
            try $0.write("Encryption/test.ticdsync", "")
        },
        Damage("0223", "Documents/pantry/WholeStore/<0>/WholeStore.ticdsync", [(.cannotDownload, [], true)]) {
            try $0.write("\(pantry)/WholeStore/\($0.clients[0])/WholeStore.ticdsync", "")
        },
        Damage(
            "0223", "Documents/pantry/WholeStore/<0>/AppliedSyncChangeSets.ticdsync",
            [(.appliedTwice, [], true)]
        ) {
            try $0.write("\(pantry)/WholeStore/\($0.clients[0])/AppliedSyncChangeSets.ticdsync", "")
        },
    ]

    @Test(arguments: cloudFiles) func isFoundInACloudFolder(_ damage: Damage) throws { try damage.check() }

    /// They count by names and times.
    @Test func contentThatNobodyReadsMayBeElsewhere() throws {
        let remote = try DamagedRemote()
        for name in try remote.storage.list(["Documents", "pantry", "IntegrityKey"]).listing.map(\.name.text)
        {
            try remote.hole("\(Self.pantry)/IntegrityKey/\(name)", 300)
        }
        try remote.hole("\(Self.pantry)/RecentSyncs/\(remote.clients[1]).recentsync", 300)
        #expect(try remote.findings() == [])
    }

    @Test(arguments: [false, true]) func anEmptySetIsLostOrBlocks(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 0)[1]
        let time = try FileStatus.of(remote.path(set)).modified
        try remote.write(set, "")
        try remote.setTime(set, time)
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0222"])
        #expect(findings.first?.path.text == set)
        #expect(
            findings.first?.affected.map(\.consequence)
                == (encrypted ? [.blocks] : [.silentlyLost, .crashes]))
    }

    @Test func emptyFilesThatNobodyReadsAreSound() throws {
        let remote = try DamagedRemote()
        let recent = "Documents/pantry/RecentSyncs/\(remote.clients[0]).recentsync"
        let time = try FileStatus.of(remote.path(recent)).modified
        try remote.write(recent, "")
        try remote.setTime(recent, time)
        try remote.write("ReadMe.txt", "")
        #expect(try remote.findings().map(\.kind.code) == [])
    }
}
