import KeyedArchive
public import SystemCalls

/// A client of the app, registered or only mentioned by a document.
public struct DeviceReport: Sendable {
    /// Identifier of the client.
    public var identifier: RemoteName
    /// Whether `ClientDevices/<client>` exists; nil if that could not be read.
    public var isRegistered: Bool?
    /// The content of `deviceInfo.plist`; nil if it is missing or could not be read.
    public var info: DeviceInfo?
    /// Documents with the client in `SyncChanges`.
    public var documents: Seen<[RemoteName]>
    /// Documents that have a tombstone of the client.
    public var deletedFrom: Seen<[RemoteName]>
    /// The latest of its recent syncs (ticds-protocol(7), 1.5); nil means unknown, not never.
    public var lastSync: Seen<FileTime?>
    /// The latest of its uploaded whole stores; nil if there is none.
    public var wholeStoreUploaded: Seen<FileTime?>
    /// Its change sets in all documents.
    public var changeSets: Seen<FileTotals>
    /// Whether the framework's own list of clients contains it; nil if that could not be read.
    public var isListed: Bool?

    /// The app's description of the device.
    public var description: String? { info?.description }
}

extension DeviceReport {
    /// A client that is known only by tombstones.
    public init(_ identifier: RemoteName, in report: RemoteReport) {
        let gap = report.unlistedClients
        let documents = report.documents.filter { $0.deletedClients.part.contains(identifier) }
        self.init(
            identifier: identifier, isRegistered: gap == nil ? false : nil, info: nil,
            documents: Seen([], gap), deletedFrom: Seen(documents.map(\.identifier), gap),
            lastSync: Seen(nil, gap), wholeStoreUploaded: Seen(nil, gap),
            changeSets: Seen(FileTotals(), gap), isListed: gap == nil ? false : nil)
    }
}

/// Clients that look like one device.
public struct DeviceDuplicate: Hashable, Sendable {
    /// The property that the clients share.
    public enum Reason: String, Sendable, CaseIterable {
        /// Same description and user info.
        case sameDescription
        /// Identifiers that differ in letter case or Unicode form only.
        case sameIdentifier
    }

    /// The property that the clients share.
    public var reason: Reason
    /// Their identifiers.
    public var clients: [RemoteName]

    /// The groups among `devices`, by identifier.
    static func find(_ devices: [DeviceReport]) -> [DeviceDuplicate] {
        let byIdentifier = Dictionary(grouping: devices.map(\.identifier)) { $0.text.lowercased() }
        let described = devices.compactMap { device in device.info.map { (device.identifier, $0) } }
        return withSameDescription(described) + groups(.sameIdentifier, byIdentifier.values)
    }

    /// The groups with one description and user info, by identifier. `devices` are sorted by identifier.
    public static func withSameDescription(_ devices: [(RemoteName, DeviceInfo)]) -> [DeviceDuplicate] {
        let described = devices.filter { $0.1.description?.isEmpty == false }
        let byDescription = Dictionary(grouping: described) {
            Appearance(name: $0.1.description, userInfo: $0.1.userInfo)
        }
        return groups(.sameDescription, byDescription.values.map { $0.map(\.0) })
    }

    private static func groups(
        _ reason: Reason, _ groups: some Sequence<[RemoteName]>
    ) -> [DeviceDuplicate] {
        groups.filter { $0.count > 1 }.map { DeviceDuplicate(reason: reason, clients: $0) }
            .sorted { $0.clients[0] < $1.clients[0] }
    }

    private struct Appearance: Hashable {
        var name: String?
        var userInfo: ArchivedValue?
    }
}
