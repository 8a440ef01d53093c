import KeyedArchive
public import SystemCalls

/// A client of the application, registered or merely mentioned by a document.
public struct DeviceReport: Sendable {
    public var identifier: RemoteName
    /// True where `ClientDevices/<client>` exists.
    public var isRegistered: Bool
    /// What `deviceInfo.plist` says; nil where it is missing or could not be read.
    public var info: DeviceInfo?
    /// Documents whose `SyncChanges` holds the client.
    public var documents: [RemoteName]
    /// Documents that have a tombstone of the client.
    public var deletedFrom: [RemoteName]
    /// The latest of its recent syncs (ticoredatasync.md, 4.5); nil says unknown, not never.
    public var lastSync: FileTime?
    /// The latest of its uploaded whole stores.
    public var wholeStoreUploaded: FileTime?
    /// Its change sets in all documents.
    public var changeSets: FileTotals
    /// False where the framework's own list of clients leaves it out.
    public var isListed: Bool

    /// What the app called the device.
    public var description: String? { info?.description }
}

/// Clients that look like one device.
public struct DeviceDuplicate: Hashable, Sendable {
    public enum Reason: String, Sendable {
        /// Same description and user info.
        case sameDescription
        /// Identifiers that differ in letter case or Unicode form only.
        case sameIdentifier
    }

    public var reason: Reason
    public var clients: [RemoteName]

    /// The groups among `devices`, by identifier.
    static func find(_ devices: [DeviceReport]) -> [DeviceDuplicate] {
        let byIdentifier = Dictionary(grouping: devices) { $0.identifier.text.lowercased() }
        let described = devices.filter { $0.description?.isEmpty == false }
        let byDescription = Dictionary(grouping: described) {
            Appearance(name: $0.description, userInfo: $0.info?.userInfo)
        }
        let groups =
            byIdentifier.values.map {
                DeviceDuplicate(reason: .sameIdentifier, clients: $0.map(\.identifier))
            }
            + byDescription.values.map {
                DeviceDuplicate(reason: .sameDescription, clients: $0.map(\.identifier))
            }
        return groups.filter { $0.clients.count > 1 }
            .sorted { ($0.reason.rawValue, $0.clients[0]) < ($1.reason.rawValue, $1.clients[0]) }
    }

    private struct Appearance: Hashable {
        var name: String?
        var userInfo: ArchivedValue?
    }
}
