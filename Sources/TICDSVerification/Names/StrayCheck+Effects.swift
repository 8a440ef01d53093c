import SystemCalls
import TICDSCore

/// What a stray does by the rules of the framework's listings (ticds-remote-format(5), 1.5).
extension StrayCheck {
    func kind(ofStray stray: Stray, _ place: RemotePlace) -> FindingKind {
        let isHidden = stray.path.last?.isHidden ?? false
        switch place {
        case .changeSets where !isHidden: return .strayChangeSet
        case .changeSets where Self.isListed(stray): return .hiddenAmongChangeSets
        case .clients: return .strayAmongClients
        case .integrityKey where Self.isListed(stray): return .strayIntegrityKey
        case .recentSyncs: return .strayRecentSync
        case .clientDevices: return .strayAmongDevices
        case .documents where !isHidden: return .strayAmongDocuments
        case .wholeStores where !isHidden: return .strayAmongWholeStores
        default: return .strayElsewhere
        }
    }

    func effects(ofStray stray: Stray, _ place: RemotePlace) -> [Effect] {
        let kind = kind(ofStray: stray, place)
        guard kind == .strayChangeSet, let name = stray.path.last, stray.fileKind != .folder else {
            return kind.effects
        }
        if name.removing(suffix: RemoteLayout.changeSetSuffix) != nil {
            return snapshot.isEncrypted ? kind.effects : FindingKind.emptyChangeSet.effects
        }
        return hasChangeSetOfSameStem(name, in: stray.path.parent)
            ? [Effect(.harmless, .nobody)] : kind.effects
    }

    /// A file or folder of the other kind counts as missing, or cannot be read.
    func effects(ofWrongKind stray: Stray) -> [Effect]? {
        switch stray.path.last {
        case RemoteLayout.deviceInfo, RemoteLayout.documentInfo: [Effect(.breaksLists, .everyone)]
        case RemoteLayout.salt, RemoteLayout.encryptionTest: [Effect(.cannotRegister, .everyone)]
        case RemoteLayout.appliedSyncChangeSets: [Effect(.appliedTwice, .newClients)]
        case RemoteLayout.readMe: [Effect(.harmless, .nobody)]
        case let name?: stray.path.names.count > 2 ? FolderCheck.effects(ofMissing: name) : nil
        case nil: nil
        }
    }

    /// A placeholder of iCloud is hidden, those of others are strays like any. The file that it stands for is missing on
    /// this machine.
    func effects(ofPlaceholder stray: Stray, _ place: RemotePlace) -> [Effect]? {
        guard stray.path.last?.isHidden == true else { return effects(ofStray: stray, place) }
        return switch place {
        case .changeSets, .clients: [Effect(.misorders, .everyoneElse)]
        case .integrityKey: FindingKind.strayIntegrityKey.effects
        case .recentSyncs: [Effect(.vacuumsTooMuch, .everyone)]
        default: nil
        }
    }

    /// True where clients that cut the last extension off and add `.syncchg` find a change set.
    private func hasChangeSetOfSameStem(_ name: RemoteName, in folder: RemotePath) -> Bool {
        let wanted = name.withoutExtension.appending(suffix: RemoteLayout.changeSetSuffix)
        return snapshot.tree.listing(folder)[wanted]?.kind == .file
    }

    static func isListed(_ stray: Stray) -> Bool { stray.path.last.map(FrameworkLists.isLongEnough) ?? false }

    /// True where the framework itself gives this name to an entry of the other kind.
    static func hasFixedName(_ stray: Stray, _ place: RemotePlace) -> Bool {
        guard case .elsewhere = place, let name = stray.path.last else { return false }
        return fixedNames.contains(name)
    }

    private static let fixedNames: Set<RemoteName> = [
        RemoteLayout.readMe, RemoteLayout.clientDevices, RemoteLayout.documents, RemoteLayout.encryption,
        RemoteLayout.information, RemoteLayout.deviceInfo, RemoteLayout.salt, RemoteLayout.encryptionTest,
        RemoteLayout.deletedDocuments, RemoteLayout.deletedClients, RemoteLayout.documentInfo,
        RemoteLayout.integrityKey, RemoteLayout.syncChanges, RemoteLayout.syncCommands,
        RemoteLayout.recentSyncs,
        RemoteLayout.wholeStore, RemoteLayout.temporaryFiles, RemoteLayout.wholeStoreFile,
        RemoteLayout.appliedSyncChangeSets,
    ]
}

extension VerificationContext {
    /// What a file does whose bytes are not its content, to clients on a machine where that is so.
    func effects(ofLost path: RemotePath) -> [Effect] {
        switch FileRole(of: path, kind: .file) {
        case .changeSet:
            isEncrypted ? [Effect(.blocks, .everyoneElse)] : FindingKind.notAChangeSet.effects
        case .salt: [Effect(.cannotRegister, .everyone), Effect(.blocks, .everyone)]
        case .encryptionTest: [Effect(.cannotRegister, .everyone)]
        case .wholeStore, .sharedExternalData: [Effect(.cannotDownload, .newClients)]
        case .register: [Effect(.appliedTwice, .newClients)]
        default: FindingKind.contentNotHere.effects
        }
    }
}
