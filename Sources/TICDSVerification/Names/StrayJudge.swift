import SystemCalls
import TICDSCore

/// Says what each stray does in the folder where it lies.
struct StrayJudge {
    let context: VerificationContext
    var snapshot: RemoteSnapshot { context.snapshot }

    init(_ context: VerificationContext) { self.context = context }

    /// One for each path: an entry that belongs nowhere because its name is a twin's is reported as a twin.
    func findings() -> [Finding] {
        let twins = Set(snapshot.strays.lazy.filter { $0.kind == .nameTwin }.map(\.path))
        let others = snapshot.strays.filter { stray in
            stray.kind != .nameTwin && !(stray.kind == .unknown && twins.contains(stray.path))
        }
        let otherPaths = Set(others.map(\.path))
        let alone = snapshot.strays.filter { $0.kind == .nameTwin && !otherPaths.contains($0.path) }
        return (others + alone).compactMap(finding)
    }

    private func finding(_ stray: Stray) -> Finding? {
        let place = RemotePlace(of: stray.path)
        switch stray.kind {
        case .conflictedCopy: return copy(stray, place)
        case .nameTwin: return finding(.nameTwin, stray, place)
        case .symbolicLink:
            return finding(.symbolicLink, stray, place, effects: effects(ofStray: stray, place))
        case .specialFile: return finding(.specialFile, stray, place, effects: effects(ofStray: stray, place))
        case .cloudPlaceholder:
            return finding(.cloudPlaceholder, stray, place, effects: effects(ofPlaceholder: stray, place))
        case .partialDownload:
            return finding(.partialDownload, stray, place, effects: effects(ofStray: stray, place))
        case .emptyFile: return empty(stray, place)
        case .wrongKind where Self.hasFixedName(stray, place): return finding(.wrongKindOfEntry, stray, place)
        case .temporaryFile, .systemFile, .wrongKind, .unknown: return misplaced(stray, place)
        }
    }

    /// A stray that is nothing but out of place.
    private func misplaced(_ stray: Stray, _ place: RemotePlace) -> Finding? {
        let kind = kind(ofStray: stray, place)
        return finding(kind, stray, place, effects: effects(ofStray: stray, place))
    }

    // MARK: Copies

    private func copy(_ stray: Stray, _ place: RemotePlace) -> Finding? {
        let isFolder = stray.fileKind == .folder
        switch place {
        case .changeSets where !isFolder && Self.isChangeSet(stray):
            return finding(.copiedChangeSet, stray, place)
        case .clients where isFolder: return finding(.copiedClientFolder, stray, place)
        case .recentSyncs where !isFolder: return finding(.copiedRecentSync, stray, place)
        case .integrityKey where !isFolder && Self.isListed(stray):
            return finding(.copiedIntegrityKey, stray, place)
        case .wholeStores where isFolder: return finding(.copiedWholeStore, stray, place)
        case .clientDevices where isFolder, .documents where isFolder, .elsewhere:
            return finding(.copiedFile, stray, place)
        default: return misplaced(stray, place)
        }
    }

    private static func isChangeSet(_ stray: Stray) -> Bool {
        guard let name = stray.path.last, !name.isHidden else { return false }
        return name.removing(suffix: RemoteLayout.changeSetSuffix) != nil
    }

    // MARK: Empty files

    private func empty(_ stray: Stray, _ place: RemotePlace) -> Finding? {
        let role = FileRole(of: stray.path, kind: .file)
        if role == .changeSet {
            let blocks = [Effect(.blocks, .everyoneElse)]
            return finding(.emptyChangeSet, stray, place, effects: snapshot.isEncrypted ? blocks : nil)
        }
        return effects(ofEmpty: role).map { finding(.emptyFile, stray, place, effects: $0) }
    }

    /// Nil for what clients never read.
    private func effects(ofEmpty role: FileRole) -> [Effect]? {
        switch role {
        case .deviceInfo, .documentInfo: [Effect(.breaksLists, .everyone)]
        case .salt: [Effect(.cannotRegister, .everyone), Effect(.blocks, .everyone)]
        case .encryptionTest: [Effect(.cannotRegister, .everyone)]
        case .wholeStore: [Effect(.cannotDownload, .newClients)]
        case .register: [Effect(.appliedTwice, .newClients)]
        default: nil
        }
    }

    // MARK: The finding

    private func finding(
        _ kind: FindingKind, _ stray: Stray, _ place: RemotePlace, effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            kind, at: stray.path, document: place.document, client: place.client ?? owner(of: stray, place),
            subject: stray.twin?.text, found: Self.description(of: stray), bytes: stray.size, effects: effects
        )
    }

    /// The client whose folder or file it is a copy or twin of.
    private func owner(of stray: Stray, _ place: RemotePlace) -> RemoteName? {
        switch place {
        case .clients, .wholeStores, .clientDevices: stray.twin
        case .recentSyncs: stray.twin?.removing(suffix: RemoteLayout.recentSyncSuffix)
        default: nil
        }
    }

    private static func description(of stray: Stray) -> String {
        switch stray.fileKind {
        case .file: "a file of \(stray.size) bytes"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .special: "a fifo, socket or device"
        }
    }
}
