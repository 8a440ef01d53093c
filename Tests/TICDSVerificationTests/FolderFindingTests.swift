import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct FolderFindingTests {
    static let damages = [
        Damage("0102", "Information/DeletedDocuments", [(.cannotRemove, [0, 1, 2], true)]) {
            try $0.remove("Information/DeletedDocuments")
        },
        Damage("0102", "Information", [(.cannotRemove, [0, 1, 2], true)]) { try $0.remove("Information") },
        Damage("0102", "ClientDevices", [(.breaksLists, [], true), (.cannotRemove, [], true)]) {
            try $0.remove("ClientDevices")
        },
        Damage(
            "0103", "Documents/cookbook/SyncCommands",
            [(.cannotRemove, [0, 1, 2], false), (.cannotRegister, [], true)]
        ) {
            try $0.remove("Documents/cookbook/SyncCommands")
        },
        Damage("0103", "Documents/cookbook/RecentSyncs", [(.stopsVacuum, [0, 1, 2], false)]) {
            try $0.remove("Documents/cookbook/RecentSyncs")
        },
        Damage("0103", "Documents/cookbook/DeletedClients", [(.cannotRemove, [0, 1, 2], false)]) {
            try $0.remove("Documents/cookbook/DeletedClients")
        },
        Damage(
            "0103", "Documents/cookbook/WholeStore",
            [
                (.cannotUpload, [0, 1, 2], false), (.stopsVacuum, [0, 1, 2], false),
                (.cannotDownload, [], true),
            ]
        ) {
            try $0.remove("Documents/cookbook/WholeStore")
        },
        Damage("0103", "Documents/pantry/TemporaryFiles", [(.cannotUpload, [0, 1, 2], false)]) {
            try $0.remove("Documents/pantry/TemporaryFiles")
        },
        Damage("0103", "Documents/pantry/TemporaryFiles/WholeStore", [(.cannotUpload, [0, 1, 2], false)]) {
            try $0.remove("Documents/pantry/TemporaryFiles/WholeStore")
        },
        Damage(
            "0103", "Documents/pantry/SyncChanges", [(.blocks, [], false), (.cannotRegister, [], true)]
        ) { try $0.remove("Documents/pantry/SyncChanges") },
        Damage("0104", "ClientDevices/<1>/deviceInfo.plist") {
            try $0.remove("ClientDevices/\($0.clients[1])/deviceInfo.plist")
            try $0.write("ClientDevices/\($0.clients[1])/deviceInfo.plist/deviceInfo.plist")
        },
        Damage("0104", "Documents/pantry/SyncCommands") {
            try $0.remove("Documents/pantry/SyncCommands")
            try $0.write("Documents/pantry/SyncCommands")
        },
        Damage("0105", "Documents/pantry/link", [(.harmless, [], false)]) {
            try TestFiles.link($0.path("Documents/pantry/link"), to: "/etc")
        },
        Damage("0105", "Documents/pantry/SyncChanges/<0>/link", [(.blocks, [1, 2], true)]) {
            try TestFiles.link($0.path("Documents/pantry/SyncChanges/\($0.clients[0])/link"), to: "/etc")
        },
        Damage("0106", "Documents/pantry/SyncChanges/<1>/fifo", [(.blocks, [0, 2], true)]) {
            try TestFiles.makeFifo($0.path("Documents/pantry/SyncChanges/\($0.clients[1])/fifo"))
        },
        Damage("0107", "Documents/pantry/recentsyncs") { try $0.makeFolder("Documents/pantry/recentsyncs") },
        Damage("0104", "Encryption/salt.ticdsync", [(.cannotRegister, [0, 1, 2], true)]) {
            try $0.write("Encryption/salt.ticdsync/salt.ticdsync")
        },
        Damage("0106", "ClientDevices/<1>/deviceInfo.plist", [(.blocks, [0, 1, 2], true)]) {
            try $0.remove("ClientDevices/\($0.clients[1])/deviceInfo.plist")
            try TestFiles.makeFifo($0.path("ClientDevices/\($0.clients[1])/deviceInfo.plist"))
        },
        Damage("0113", "Encryption", [(.harmless, [], false)]) { try $0.remove("Encryption") },
        Damage("0113", "Information/DeletedClients") { try $0.remove("Information/DeletedClients") },
    ]

    @Test(arguments: damages) func isFound(_ damage: Damage) throws { try damage.check() }

    @Test(arguments: CleanRemote.Kind.allCases)
    func aCleanRemoteHasNone(kind: CleanRemote.Kind) throws {
        #expect(ListingCheck.findings(try CleanRemote(kind).context()).map(\.kind.code) == [])
    }
}
