import Base
import Synchronization
import SystemCalls
import TICDSCore

/// Opens the files of a remote on several threads, and checks each file separately.
struct FileCheckRun: Sendable {
    struct Outcome: Sendable {
        var findings: [Finding] = []
        var damaged: Set<RemotePath> = []
        var examined = FileTotals()
        /// Encrypted files of which only the first bytes were checked, because there is no password.
        var notOpened = FileTotals()
        var known = FileTotals()
        var left = FileTotals()
        /// Files that could not be read; their sizes are those of the listing.
        var unread = FileTotals()
        /// Files known to be intact, including files from earlier verifications that have not changed.
        var sound = KnownFiles()
    }

    private struct State {
        var outcome: Outcome
        var progress: VerificationProgress
    }

    private let context: VerificationContext
    private let settings: Verifier.Settings
    private let largeFiles = ExclusiveSection()
    /// Files above this size in bytes are held in memory one at a time.
    private static let largeFile = 4 << 20
    /// Files above this size in bytes are checked first.
    private static let slowFile = 256 << 10

    init(_ context: VerificationContext, _ settings: Verifier.Settings) {
        self.context = context
        self.settings = settings
    }

    func run() -> Outcome {
        let (files, outcome) = sorted(context.examinedFiles(of: settings.document))
        let bytes = files.reduce(into: Int64(0)) { $0 +|= $1.size }
        let progress = VerificationProgress(filesInAll: files.count, bytesInAll: bytes)
        let state = Mutex(State(outcome: outcome, progress: progress))
        ParallelWork.forEach(below: files.count, workers: settings.workers, while: settings.mayContinue) {
            number in
            let checked = check(files[number])
            state.withLock { state in
                add(checked, of: files[number], to: &state)
                settings.onProgress(state.progress)
            }
        }
        var result = state.withLock { $0.outcome }
        let done = [result.examined, result.notOpened, result.unread]
        result.left.count = done.reduce(files.count) { $0 - $1.count }
        result.left.bytes = done.reduce(bytes) { $0 -| $1.bytes }
        note(&result)
        return result
    }

    private struct FileResult {
        var findings: [Finding]
        /// Whether the process lacked memory, a thread, a descriptor or temporary space for the file.
        var isLeft = false
        var sound: KnownFile?
    }

    private func check(_ file: ExaminedFile) -> FileResult {
        // try?: a file without a status is checked, and not noted as intact
        let seen = settings.known.isInUse ? try? context.storage.status(of: file.path) : nil
        var findings: [Finding] =
            if settings.level == .headers {
                HeaderCheck.findings(of: file, context)
            } else if file.size > Self.largeFile, !file.role.isStreamed {
                largeFiles.run { ContentsCheck.findings(of: file, context) }
            } else {
                ContentsCheck.findings(of: file, context)
            }
        if context.unread.scarcity(at: file.path) != nil {
            return FileResult(findings: findings, isLeft: true)
        }
        guard let seen, settings.level >= .contents, !isLocked(file) else {
            return FileResult(findings: findings)
        }
        // try?: the file is not noted as intact, so the next verification opens it again
        guard let place = try? context.storage.onDisk(file.path),
            // try?: as above
            let digest = try? FileHasher.digest(of: OwnedDescriptor.file(place.path))
        else { return FileResult(findings: findings) }
        defer { withExtendedLifetime(place) {} }
        let now = KnownFile(seen, digest: digest, checked: context.now)
        if let before = settings.known[file.path], before.isSameFile(as: now), before.digest != now.digest {
            findings.append(
                context.finding(
                    .changedSilently, at: file.path, document: file.document, client: file.client,
                    expected: "the bytes of \(before.checked.iso)", found: "others"))
        }
        // try?: as above
        let isSound = findings.isEmpty && (try? context.storage.status(of: file.path)) == seen
        return FileResult(findings: findings, sound: isSound ? now : nil)
    }

    private func add(_ checked: FileResult, of file: ExaminedFile, to state: inout State) {
        state.outcome.findings += checked.findings
        if checked.findings.contains(where: { $0.kind.severity == .error }) {
            state.outcome.damaged.insert(file.path)
        }
        if needsPassword(file), !checked.findings.contains(where: { $0.kind.severity == .error }) {
            state.outcome.notOpened.add(file.size)
        } else if checked.isLeft || checked.findings.contains(where: \.kind.isUnread) {
            state.outcome.unread.add(file.size)
        } else {
            state.outcome.examined.add(file.size)
        }
        if settings.known.isInUse { state.outcome.sound[file.path] = checked.sound }
        state.progress.files += 1
        state.progress.bytes +|= file.size
        state.progress.findings = state.outcome.findings.count
    }

    /// The files to open, in the order of their last check, the oldest first, and an outcome with the files that need
    /// not be opened.
    private func sorted(_ all: consuming [ExaminedFile]) -> ([ExaminedFile], Outcome) {
        var outcome = Outcome()
        guard settings.known.isInUse else { return (slowFirst(all), outcome) }
        outcome.sound = settings.known
        var candidates: [(file: ExaminedFile, checked: Int64)] = []
        var folder = LatestFolder()
        var known = KnownFolder(settings.known)
        var found = 0
        for position in all.indices {
            let file = all[position]
            guard let before = known.file(at: file.path) else {
                candidates.append((file, .min))
                continue
            }
            found += 1
            if isTrusted(before, &folder, file) {
                outcome.known.add(file.size)
            } else {
                candidates.append((file, before.checked.seconds))
            }
        }
        if found < settings.known.count { outcome.sound.keep(Set(all.map(\.path))) }
        // A stable order: by path among files that were never checked.
        let order = candidates.enumerated().sorted { one, other in
            one.element.checked == other.element.checked
                ? one.offset < other.offset : one.element.checked < other.element.checked
        }
        return (order.map(\.element.file), outcome)
    }

    /// The files with large ones first, so that no thread is still busy with a large file when the others have
    /// finished.
    private func slowFirst(_ files: consuming [ExaminedFile]) -> [ExaminedFile] {
        var slow = 0
        for position in files.indices where files[position].size > Self.slowFile {
            files.swapAt(position, slow)
            slow += 1
        }
        files[..<slow].sort { $0.size > $1.size }
        return files
    }

    private func isTrusted(
        _ before: KnownFile, _ folder: inout LatestFolder, _ file: ExaminedFile
    ) -> Bool {
        if settings.level < .contents { return false }
        if let longest = settings.longestTrust, context.now.seconds(since: before.checked) > longest {
            return false
        }
        if let inode = file.inode {
            return before.size == file.size && before.modified == file.modified && before.inode == inode
        }
        // try?: a file without a status is opened
        guard let status = try? folder.status(of: file.path, in: context.storage) else { return false }
        return before.isSameFile(as: KnownFile(status, digest: before.digest, checked: before.checked))
    }

    private func isLocked(_ file: ExaminedFile) -> Bool {
        context.keyring.state == .locked && file.role.isEncryptedWithItsRemote
    }

    private func needsPassword(_ file: ExaminedFile) -> Bool { settings.level >= .contents && isLocked(file) }

    private func note(_ outcome: inout Outcome) {
        guard outcome.notOpened.count > 0 else { return }
        outcome.findings.append(
            context.finding(
                .notOpened, at: [RemoteLayout.encryption, RemoteLayout.salt], document: settings.document,
                expected: "the password", found: counted(outcome.notOpened.count, "encrypted file"),
                bytes: outcome.notOpened.bytes))
    }
}

/// Finds known files, and keeps those of the folder of the last one.
private struct KnownFolder {
    private let known: KnownFiles
    private var parent: ArraySlice<RemoteName>?
    private var files: [RemoteName: KnownFile] = [:]

    init(_ known: KnownFiles) { self.known = known }

    /// The known file at a path; nil if there is none.
    mutating func file(at path: RemotePath) -> KnownFile? {
        if parent != path.names.dropLast() {
            parent = path.names.dropLast()
            files = known[folder: path.parent]
        }
        return path.last.flatMap { files[$0] }
    }
}

extension FileRole {
    fileprivate var isStreamed: Bool {
        switch self {
        case .wholeStore, .register, .temporaryFile, .sharedExternalData, .readMe, .commandSet, .unknown: true
        default: false
        }
    }
}
