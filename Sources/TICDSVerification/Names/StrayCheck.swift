import Base
import SystemCalls
import TICDSCore

/// Reports each stray, with its effects in its folder.
struct StrayCheck: RemoteCheck {
    let context: VerificationContext
    var snapshot: RemoteSnapshot { context.snapshot }
    private var lists: [ListKey: [Affected]] = [:]

    private init(_ context: VerificationContext) { self.context = context }

    static func findings(_ context: VerificationContext) -> [Finding] {
        var strays = StrayCheck(context)
        return strays.findings()
    }

    /// One finding for each path: an entry that is a stray only because its name has a twin is reported as a twin.
    private mutating func findings() -> [Finding] {
        let twins = Set(snapshot.strays.lazy.filter { $0.kind == .nameTwin }.map(\.path))
        let others = snapshot.strays.filter { stray in
            stray.kind != .nameTwin && !(stray.kind == .unknown && twins.contains(stray.path))
        }
        let otherPaths = Set(others.map(\.path))
        let alone = snapshot.strays.filter { $0.kind == .nameTwin && !otherPaths.contains($0.path) }
        var findings: [Finding] = []
        for stray in others + alone {
            let place = RemotePlace(of: stray.path)
            if let verdict = verdict(stray, place) { findings.append(finding(verdict, stray, place)) }
        }
        return findings
    }

    /// The kind of finding, and its effects in this case.
    struct Verdict {
        var kind: FindingKind
        var effects: [Effect]

        init(_ kind: FindingKind, _ effects: [Effect]? = nil) {
            self.kind = kind
            self.effects = effects ?? kind.effects
        }
    }

    private func verdict(_ stray: Stray, _ place: RemotePlace) -> Verdict? {
        switch stray.kind {
        case .conflictedCopy: copy(stray, place)
        case .nameTwin: Verdict(.nameTwin)
        case .symbolicLink: Verdict(.symbolicLink, effects(ofStray: stray, place))
        case .specialFile where Self.hasFixedName(stray, place): Verdict(.specialFile)
        case .specialFile: Verdict(.specialFile, effects(ofStray: stray, place))
        case .cloudPlaceholder: Verdict(.cloudPlaceholder, effects(ofPlaceholder: stray, place))
        case .partialDownload: Verdict(.partialDownload, effects(ofStray: stray, place))
        case .emptyFile: empty(stray)
        case .notDownloaded:
            stray.absence == nil ? nil : Verdict(.contentNotHere, context.effects(ofLost: stray.path))
        case .wrongKind where Self.hasFixedName(stray, place):
            Verdict(.wrongKindOfEntry, effects(ofWrongKind: stray))
        case .temporaryFile, .systemFile, .wrongKind, .unknown: misplaced(stray, place)
        }
    }

    private func misplaced(_ stray: Stray, _ place: RemotePlace) -> Verdict {
        Verdict(kind(ofStray: stray, place), effects(ofStray: stray, place))
    }

    private func copy(_ stray: Stray, _ place: RemotePlace) -> Verdict {
        let isFolder = stray.fileKind == .folder
        switch place {
        case .changeSets where !isFolder && Self.isChangeSet(stray): return Verdict(.copiedChangeSet)
        case .clients where isFolder: return Verdict(.copiedClientFolder)
        case .recentSyncs where !isFolder: return Verdict(.copiedRecentSync)
        case .integrityKey where !isFolder && Self.isListed(stray): return Verdict(.copiedIntegrityKey)
        case .wholeStores where isFolder: return Verdict(.copiedWholeStore)
        case .clientDevices where isFolder, .documents where isFolder, .elsewhere: return Verdict(.copiedFile)
        default: return misplaced(stray, place)
        }
    }

    private static func isChangeSet(_ stray: Stray) -> Bool {
        guard let name = stray.path.last, !name.isHidden else { return false }
        return name.removing(suffix: RemoteLayout.changeSetSuffix) != nil
    }

    /// The verdict about an empty file; nil if clients never read it.
    private func empty(_ stray: Stray) -> Verdict? {
        switch FileRole(of: stray.path, kind: .file) {
        case .changeSet:
            Verdict(.emptyChangeSet, snapshot.isEncrypted ? [Effect(.blocks, .everyoneElse)] : nil)
        case .deviceInfo, .documentInfo: Verdict(.emptyFile)
        case .salt: Verdict(.emptyFile, [Effect(.cannotRegister, .everyone), Effect(.blocks, .everyone)])
        case .encryptionTest: Verdict(.emptyFile, [Effect(.cannotRegister, .everyone)])
        case .wholeStore: Verdict(.emptyFile, [Effect(.cannotDownload, .newClients)])
        case .register: Verdict(.emptyFile, [Effect(.appliedTwice, .newClients)])
        default: nil
        }
    }

    /// Strays with equal effects on the same clients share one list: strays and clients may be very many.
    private struct ListKey: Hashable {
        var document: RemoteName?
        var client: RemoteName?
        var effects: [Effect]
    }

    private mutating func finding(_ verdict: Verdict, _ stray: Stray, _ place: RemotePlace) -> Finding {
        let client = place.client ?? owner(of: stray, place)
        let key = ListKey(document: place.document, client: client, effects: verdict.effects)
        let known = lists[key]
        var finding = context.finding(
            verdict.kind, at: stray.path, document: place.document, client: client, subject: stray.twin?.text,
            found: Self.description(of: stray), bytes: stray.fileKind == .folder ? nil : stray.size,
            effects: known == nil ? verdict.effects : [])
        if let known { finding.affected = known } else { lists[key] = finding.affected }
        return finding
    }

    /// The client of whose folder or file the stray is a copy or twin.
    private func owner(of stray: Stray, _ place: RemotePlace) -> RemoteName? {
        switch place {
        case .clients, .wholeStores, .clientDevices: stray.twin
        case .recentSyncs: stray.twin?.removing(suffix: RemoteLayout.recentSyncSuffix)
        default: nil
        }
    }

    private static func description(of stray: Stray) -> String {
        switch stray.fileKind {
        case .file where stray.kind == .notDownloaded: stray.absence?.text ?? ""
        case .file: "a file of \(counted(stray.size, "byte"))"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .special: "a fifo, socket or device"
        }
    }

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

    /// The effects of a placeholder. The placeholders of iCloud are hidden, so that only the file is missing; all
    /// others are also strays.
    func effects(ofPlaceholder stray: Stray, _ place: RemotePlace) -> [Effect]? {
        guard stray.path.last?.isHidden == true else { return effects(ofStray: stray, place) }
        return switch place {
        case .changeSets, .clients: [Effect(.misorders, .everyoneElse)]
        case .integrityKey: FindingKind.strayIntegrityKey.effects
        case .recentSyncs: [Effect(.vacuumsTooMuch, .everyone)]
        default: nil
        }
    }

    /// Whether a change set exists under the name that clients request: the stem of the stray with `.syncchg`.
    private func hasChangeSetOfSameStem(_ name: RemoteName, in folder: RemotePath) -> Bool {
        let wanted = name.withoutExtension.appending(suffix: RemoteLayout.changeSetSuffix)
        return snapshot.tree.listing(folder).part[wanted]?.kind == .file
    }

    static func isListed(_ stray: Stray) -> Bool { stray.path.last.map(FrameworkLists.isLongEnough) ?? false }

    /// Whether the framework uses this name for an entry of a different kind.
    static func hasFixedName(_ stray: Stray, _ place: RemotePlace) -> Bool {
        guard case .elsewhere = place, let name = stray.path.last else { return false }
        return fixedNames.contains(name)
    }

    private static let fixedNames: Set<RemoteName> = [
        RemoteLayout.readMe, RemoteLayout.clientDevices, RemoteLayout.documents, RemoteLayout.encryption,
        RemoteLayout.information, RemoteLayout.deviceInfo, RemoteLayout.salt, RemoteLayout.encryptionTest,
        RemoteLayout.deletedDocuments, RemoteLayout.deletedClients, RemoteLayout.documentInfo,
        RemoteLayout.integrityKey, RemoteLayout.syncChanges, RemoteLayout.syncCommands,
        RemoteLayout.recentSyncs, RemoteLayout.wholeStore, RemoteLayout.temporaryFiles,
        RemoteLayout.wholeStoreFile, RemoteLayout.appliedSyncChangeSets,
    ]
}

extension VerificationContext {
    func effects(ofLost path: RemotePath) -> [Effect] {
        switch FileRole(of: path, kind: .file) {
        case .changeSet: isEncrypted ? [Effect(.blocks, .everyoneElse)] : FindingKind.notAChangeSet.effects
        case .salt: [Effect(.cannotRegister, .everyone), Effect(.blocks, .everyone)]
        case .encryptionTest: [Effect(.cannotRegister, .everyone)]
        case .wholeStore, .sharedExternalData: [Effect(.cannotDownload, .newClients)]
        case .register: [Effect(.appliedTwice, .newClients)]
        default: FindingKind.contentNotHere.effects
        }
    }
}
