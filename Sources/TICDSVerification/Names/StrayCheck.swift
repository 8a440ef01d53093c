import SystemCalls
import TICDSCore

/// Says what each stray does in the folder where it lies.
struct StrayCheck: RemoteCheck {
    let context: VerificationContext
    var snapshot: RemoteSnapshot { context.snapshot }
    private var lists: [ListKey: [Affected]] = [:]

    private init(_ context: VerificationContext) { self.context = context }

    static func findings(_ context: VerificationContext) -> [Finding] {
        var strays = StrayCheck(context)
        return strays.findings()
    }

    /// One for each path: an entry that belongs nowhere because its name is a twin's is reported as a twin.
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

    /// A kind of finding, and what it does in this case.
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

    /// A stray that is nothing but out of place.
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

    /// Nil for what clients never read.
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

    // MARK: The finding

    /// A folder may hold very many strays, and a document very many clients: strays that do the same to the same clients
    /// share one list of them.
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
            found: Self.description(of: stray), bytes: stray.size,
            effects: known == nil ? verdict.effects : [])
        if let known { finding.affected = known } else { lists[key] = finding.affected }
        return finding
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
        case .file where stray.kind == .notDownloaded: stray.absence?.text ?? ""
        case .file: "a file of \(stray.size) byte\(stray.size == 1 ? "" : "s")"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .special: "a fifo, socket or device"
        }
    }
}
