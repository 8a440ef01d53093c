import Base
import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

extension RepairPlanner {
    mutating func copy(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let original = original(of: finding) else {
            return .left("its original is missing: it may be the only copy, under a wrong name")
        }
        let isFolder = snapshot.tree[finding.path].part?.kind == .folder
        switch finding.kind {
        case .copiedClientFolder: return try clientFolder(finding, original)
        case .copiedWholeStore: return try wholeStoreFolder(finding, original)
        case .copiedFile where isFolder: return try folder(finding, original)
        default: break
        }
        if actions.isUsed(finding.path) { return .repaired }
        if evidence.damaged.contains(original) {
            return .left("its original is damaged: the copy may be the intact one")
        }
        if evidence.altered.contains(original) {
            return .left("its original was altered after it was written: the copy may be the intact one")
        }
        if try !isSame(finding.path, original) {
            notes.add(.warning, "\(finding.path) has other bytes than its original, which stays")
        }
        try actions.trash(finding.path, for: finding.kind)
        return .repaired
    }

    /// Puts an intact copy beside a damaged file in its place; nil if there is no copy.
    mutating func intactTwin(_ finding: Finding) throws(FileProblem) -> Verdict? {
        let path = finding.path
        if actions.isReplaced(path) { return .repaired }
        let twins = snapshot.strays.filter {
            $0.kind == .conflictedCopy && $0.fileKind == .file && $0.path.parent == path.parent
                && $0.twin == path.last
        }.map(\.path)
        guard let first = twins.first, snapshot.tree[path].part?.kind == .file else { return nil }
        var intact: [RemotePath] = []
        for twin in twins where try isIntact(twin, as: path) { intact.append(twin) }
        guard let twin = intact.first else {
            return .left(
                "there is a copy beside it, \(first.last?.text ?? ""), which is not intact or cannot be checked"
            )
        }
        for other in intact.dropFirst() where try !isSame(twin, other) {
            return .left("there are several intact copies beside it: only a person can tell which is right")
        }
        try actions.putInPlace(twin, at: path, for: finding.kind)
        notes.add(.reason, "\(twin) is intact and takes the place of \(path)")
        if FileRole(of: path, kind: .file) == .wholeStore,
            snapshot.tree[twin].part?.modified != snapshot.tree[path].part?.modified
        {
            notes.add(
                .warning,
                "\(twin) is of another time than \(path): if the register beside it belongs to a later store, new clients lack the change sets between; let the client upload its store again"
            )
        }
        return .repaired
    }

    /// Whether a copy has no fault, checked in the role of its original.
    private func isIntact(_ twin: RemotePath, as original: RemotePath) throws(FileProblem) -> Bool {
        guard let entry = snapshot.tree[twin].part, entry.kind == .file, entry.size > 0,
            var file = context.examinedFile(original)
        else { return false }
        file.path = twin
        file.size = entry.size
        file.modified = entry.modified
        // Without the password, the state of an encrypted file is unknown.
        if file.role.isEncryptedByClients, context.keyring.isEncrypted, context.keyring.key == nil {
            return false
        }
        let findings = try context.contentsFindings(of: file)
        return !findings.contains { $0.kind.severity == .error || $0.kind.isUnread }
    }

    private func original(of finding: Finding) -> RemotePath? {
        guard let subject = finding.subject else { return nil }
        let path = finding.path.parent.appending(RemoteName(subject))
        guard let entry = snapshot.tree[path].part, entry.kind == snapshot.tree[finding.path].part?.kind
        else {
            return nil
        }
        return path
    }

    /// Moves sets that only the copy contains to the original, with their times.
    private mutating func clientFolder(
        _ finding: Finding, _ original: RemotePath
    ) throws(FileProblem) -> Verdict {
        var joined =
            if let known = joined[original] { known } else {
                try JoinedChangeSets(original, in: snapshot.tree)
            }
        let outcome = try joined.add(finding.path, in: snapshot.tree, context.storage)
        if let other = outcome.other {
            return .left("the original's \(other) has other bytes: only a person can tell which is right")
        }
        if let orphan = outcome.orphan {
            return .left(
                "the original of \(orphan) is missing: this may be the only copy, under a wrong name")
        }
        try actions.trash(finding.path, for: finding.kind)
        self.joined[original] = joined
        for entry in outcome.sets {
            let file = RemoteFile(path: finding.path.appending(entry.name), entry)
            actions.keep(file, as: original.appending(entry.name), for: finding.kind)
        }
        if !outcome.sets.isEmpty {
            notes.add(
                .reason,
                "\(counted(outcome.sets.count, "change set")) that only \(finding.path) contains: "
                    + "kept in \(original)")
        }
        if outcome.copies > 0 {
            notes.add(
                .reason,
                "\(counted(outcome.copies, "change set")) in \(finding.path) with the same bytes as another: "
                    + "not kept")
        }
        if outcome.doubtful > 0 {
            notes.add(
                .warning,
                "\(counted(outcome.doubtful, "change set")) in \(finding.path) with the name of a copy, but "
                    + "other bytes: removed with the folder")
        }
        return .repaired
    }

    private mutating func wholeStoreFolder(
        _ finding: Finding, _ original: RemotePath
    ) throws(FileProblem) -> Verdict {
        let store = original.appending(RemoteLayout.wholeStoreFile)
        guard let entry = snapshot.tree[store].part, !evidence.damaged.contains(store),
            entry.kind == .folder || entry.size > 0
        else { return .left("its original contains no intact whole store") }
        try actions.trash(finding.path, for: finding.kind)
        return .repaired
    }

    private mutating func folder(_ finding: Finding, _ original: RemotePath) throws(FileProblem) -> Verdict {
        if finding.path.parent == [RemoteLayout.documents] {
            return .left("it may be a separate document: only the application knows")
        }
        guard try containsAll(of: finding.path, original) else {
            return .left("it contains something that its original does not contain")
        }
        if finding.path.parent == [RemoteLayout.clientDevices], let name = finding.path.last,
            snapshot.documents.contains(where: { $0.client(name) != nil })
        {
            return .left("a client with this name belongs to a document")
        }
        try actions.trash(finding.path, for: finding.kind)
        return .repaired
    }

    private func containsAll(of copy: RemotePath, _ original: RemotePath) throws(FileProblem) -> Bool {
        guard let listing = snapshot.tree.folders[copy] else { return false }
        for entry in listing {
            let (path, place) = (copy.appending(entry.name), original.appending(entry.name))
            let isThere =
                entry.kind == .folder && snapshot.tree[place].part?.kind == .folder
                ? try containsAll(of: path, place) : try isSame(path, place)
            if !isThere { return false }
        }
        return true
    }

    private func isSame(_ one: RemotePath, _ other: RemotePath) throws(FileProblem) -> Bool {
        guard let entry = snapshot.tree[one].part, let same = snapshot.tree[other].part, entry.kind == .file,
            same.kind == .file, entry.size == same.size
        else { return false }
        return try context.storage.holdSameBytes(one, other, size: entry.size, limit: .binaryStore)
    }
}
