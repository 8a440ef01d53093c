extension RemotePath {
    /// The document whose folder or tombstone is at the path or above it.
    package var document: RemoteName? {
        if names.count > 1, names[0] == RemoteLayout.documents { return names[1] }
        guard names.count == 3, names[0] == RemoteLayout.information else { return nil }
        return names[2].removing(suffix: RemoteLayout.propertyListSuffix)
    }

    /// The client to which the path belongs, if it names one.
    package var client: RemoteName? {
        if names.count > 1, names[0] == RemoteLayout.clientDevices { return names[1] }
        guard names.count > 3, names[0] == RemoteLayout.documents else { return nil }
        switch names[2] {
        case RemoteLayout.syncChanges, RemoteLayout.syncCommands: return names[3]
        case RemoteLayout.wholeStore: return names[3] == RemoteLayout.sharedExternalData ? nil : names[3]
        case RemoteLayout.recentSyncs: return names[3].removing(suffix: RemoteLayout.recentSyncSuffix)
        case RemoteLayout.deletedClients: return names[3].removing(suffix: RemoteLayout.propertyListSuffix)
        default: return nil
        }
    }
}
