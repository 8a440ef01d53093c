import Base
import CoreDataStore
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Downloads a whole store (ticds-protocol(7), 1.7), which the simulation assumes that the app requests.
    mutating func download() -> Bool {
        guard let store = chooseStore() else { return false }
        simulation.wholeStore = store.path
        guard
            add(
                DownloadedStore(
                    context: context, variant: variant, document: simulation.document,
                    isEncrypted: isEncrypted
                ).step(store.path, store.entry))
        else { return false }
        return fetchRegister(beside: store) && fetchKey()
    }

    private typealias Choice = (path: RemotePath, entry: FolderEntry)

    private mutating func chooseStore() -> Choice? {
        let parent = listing.folder(RemoteLayout.wholeStore)
        func fail(_ error: FrameworkError, _ paths: [RemotePath], _ text: String) -> Choice? {
            _ = add(.download, "Choose a whole store", .fails, error, section: "1.7-1", paths: paths, text)
            return nil
        }
        guard let folders = listing.storeFolders else {
            return fail(variant.errorOfMissingFile, [parent], "The folder of whole stores is missing.")
        }
        var best: Choice?
        var empty: [RemotePath] = []
        for folder in folders {
            guard let store = listing.store(of: folder.name) else {
                empty.append(parent.appending(folder.name))
                continue
            }
            if let known = best, variantTime(store.entry) <= variantTime(known.entry) { continue }
            best = store
        }
        guard let best else {
            // The iCloud branch skips folders without a store.
            let error: FrameworkError =
                empty.isEmpty || variant == .iCloud ? .noUploadedStore : variant.errorOfMissingFile
            return fail(
                error, empty.isEmpty ? [parent] : empty,
                "No client has uploaded a whole store, so new clients cannot start.")
        }
        _ = add(
            .download, "Choose a whole store", .done, section: "1.7-1", paths: [best.path],
            """
            The client takes the store with the latest time; it does not check whether the \
            client that uploaded it still takes part, or whether the store is intact.
            """)
        return best
    }

    /// The modification time as the variant sees it: Dropbox keeps whole seconds.
    func variantTime(_ entry: FolderEntry) -> FileTime { variantTime(entry.modified) }

    func variantTime(_ modified: FileTime) -> FileTime {
        variant == .dropbox ? FileTime(seconds: modified.seconds) : modified
    }

    private mutating func fetchRegister(beside store: Choice) -> Bool {
        let path = store.path.parent.appending(RemoteLayout.appliedSyncChangeSets)
        let isHarmless = allSetsAreNewer(than: variantTime(store.entry))
        func step(_ outcome: SimulationStep.Outcome, _ text: String) -> Bool {
            add(.download, "Fetch the register", outcome, section: "1.7-3", paths: [path], text)
        }
        guard let entry = listing[path] else {
            let text =
                isHarmless
                ? "There is no register beside the store, and no change set is old enough to be in it."
                : """
                There is no register beside the store: the client applies every change set that \
                is left to it again. That loses nothing if all sets are left; values of a set \
                that is left replace newer ones of a set that a vacuum removed.
                """
            return step(isHarmless ? .done : .unknown, text)
        }
        guard entry.kind == .file, let lines = readRegister(path) else {
            let isFile = entry.kind == .file
            let harm =
                isHarmless
                ? "no change set is old enough to be in the store"
                : "applies every change set that is left again"
            return step(
                .unknown,
                """
                The register \(isFile ? "cannot be read" : "is not a plain file"). If Core Data gives error 259, the \
                client puts an empty one in its place (ticds-protocol(7), 4.3-5)\(isHarmless ? ", which loses nothing: " : " and ")\(harm). With any \
                other error the application crashes at its synchronisation.
                """)
        }
        applied = lines
        simulation.known = KnownChangeSets(
            source: .downloadedRegister, register: path, asOf: entry.modified, count: lines.count)
        return step(.done, "It names \(counted(lines.count, "change set")) that the store already contains.")
    }

    private func allSetsAreNewer(than time: FileTime) -> Bool {
        (listing.clients ?? []).allSatisfy { client in
            guard let sets = listing.changeSets(of: client.name) else { return true }
            return sets.positions.allSatisfy { variantTime(sets.folder.listing.modified(at: $0)) > time }
        }
    }

    private mutating func fetchKey() -> Bool {
        let hasKey = listing.integrityKeys?.isEmpty == false
        return add(
            .download, "Fetch the integrity key", hasKey ? .done : .unknown, section: "1.7-4",
            paths: [listing.folder(RemoteLayout.integrityKey)],
            hasKey ? "The client remembers the key." : "There is none, which is not an error here.")
    }

    /// Reads the sets that a member has applied from the register that it uploaded, which is complete up to its time.
    mutating func learnFromOwnRegister() {
        guard let client = simulation.client else { return }
        let path = listing.folder(RemoteLayout.wholeStore).appending(client).appending(
            RemoteLayout.appliedSyncChangeSets)
        guard let entry = listing[path], entry.kind == .file, let lines = readRegister(path)
        else { return }
        applied = lines
        simulation.known = KnownChangeSets(
            source: .ownRegister, register: path, asOf: entry.modified, count: lines.count)
    }

    func readRegister(_ path: RemotePath) -> Set<String>? {
        do throws(FileProblem) {
            let register = try ChangeSetRegister(context.storage.onDisk(path))
            var identifiers: Set<String> = []
            try register.forEachChangeSet { line in
                if let identifier = line.identifier { identifiers.insert(identifier) }
            }
            return identifiers
        } catch {
            context.unread.note(error, at: path)
            return nil
        }
    }
}

/// Simulates the download and installation of one whole store (ticds-remote-format(5), 1.6; ticds-protocol(7), 1.7).
struct DownloadedStore {
    let context: VerificationContext
    let variant: Variant
    let document: RemoteName
    let isEncrypted: Bool

    func step(_ path: RemotePath, _ entry: FolderEntry) -> SimulationStep {
        func step(
            _ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String
        ) -> SimulationStep {
            SimulationStep(
                .download, "Fetch and install the store", outcome, error, section: "1.7-2", paths: [path],
                text)
        }
        if entry.kind == .folder { return folder(step) }
        if isEncrypted {
            switch EncryptedFetch(context: context).state(of: path) {
            case .opens: break
            case .notChecked(let reason):
                return step(.unknown, nil, "\(reason); the simulation assumes that the store is intact.")
            case .missing: return step(.fails, variant.errorOfMissingFile, "The store has vanished.")
            case .folder, .tooShort, .refused:
                guard variant == .dropbox else {
                    return step(.fails, .encryption, "The store cannot be decrypted.")
                }
                return step(
                    .silentLoss, nil,
                    """
                    The store cannot be decrypted, but the download continues and puts an empty \
                    file in the place of the user's store.
                    """)
            }
        }
        return opened(path, step)
    }

    private typealias Make = (SimulationStep.Outcome, FrameworkError?, String) -> SimulationStep

    private func folder(_ step: Make) -> SimulationStep {
        switch (variant, isEncrypted) {
        case (.iCloud, false):
            step(
                .unknown, nil,
                """
                The store is a folder, which this variant copies as it is. An application whose store is a file cannot \
                open it (Core Data error 256).
                """)
        case (.iCloud, true), (.fileManager, true):
            step(.wouldCrash, nil, "The store is a folder, and the decryption of a folder crashes.")
        case (.fileManager, false):
            step(
                .fails, nil,
                """
                The store is a folder; the client puts it in the place of the user's store, and \
                the application cannot open it (Core Data error 256).
                """)
        case (.dropbox, _): step(.fails, .dropboxClient, "The store is a folder, which cannot be fetched.")
        }
    }

    private func opened(_ path: RemotePath, _ step: Make) -> SimulationStep {
        let found: WholeStoreFile
        do throws(FileProblem) {
            found = try WholeStoreFile.open(
                path, in: context.storage, keyring: isEncrypted ? context.keyring : RemoteKeyring(.plain))
        } catch {
            return refused(path, error, step)
        }
        guard found.layers.contains(.zip) else { return checked(path, found, step) }
        guard variant == .dropbox else {
            return step(
                .silentLoss, nil,
                """
                The store is a zip, which only the Dropbox variant extracts: the client puts the \
                zip itself in the place of the user's store.
                """)
        }
        let name = RemoteName(found.memberName ?? [])
        guard name == document else {
            return step(
                .fails, .fileManager,
                """
                The entry of the zip is called \(name), but the client looks for one with the name \
                of the document, \(document).
                """)
        }
        return checked(path, found, step)
    }

    private func refused(_ path: RemotePath, _ problem: FileProblem, _ step: Make) -> SimulationStep {
        if context.snapshot.tree[path].part?.size == 0, !isEncrypted {
            return step(
                .silentLoss, nil,
                """
                The store has no bytes. The client puts it in the place of the user's store, and Core Data opens it \
                as a store without objects.
                """)
        }
        context.unread.note(problem, at: path)
        // These errors do not show whether the file is a store.
        if problem.isUnread || [.encrypted, .limit].contains(problem.kind) {
            return step(.unknown, nil, "The store could not be checked here (\(problem.problem)).")
        }
        return unopened(problem.finding == nil ? "it is not a store" : problem.problem, step)
    }

    /// The step of an app that finds a file that Core Data does not open (error 259 or 134000).
    private func unopened(_ reason: String, _ step: Make) -> SimulationStep {
        step(
            .fails, nil,
            """
            The application cannot open the store (\(reason); Core Data error 259 or 134000), but the client puts it in \
            the place of the user's store nevertheless.
            """)
    }

    /// Checks a store. Core Data reads a binary or XML store as a whole when it opens the store, and the pages of an
    /// SQLite store when it needs them.
    private func checked(_ path: RemotePath, _ found: WholeStoreFile, _ step: Make) -> SimulationStep {
        let zip = found.layers.contains(.zip) ? "The zip is extracted, and the" : "The"
        let entry = context.snapshot.tree[path].part
        let file = ExaminedFile(
            path: path, role: .wholeStore, size: entry?.size ?? 0, modified: found.modified,
            document: document)
        let findings = StoreContentsCheck.findings(CheckedFile(file: file, context: context), found.path)
        if let scarcity = context.unread.scarcity(at: path) {
            return step(.unknown, nil, "The store could not be checked here (\(scarcity.text)).")
        }
        if let doubt = findings.first(where: { Self.doubts.contains($0.kind) }) {
            return step(.unknown, nil, "The store could not be checked here (\(Self.text(doubt))).")
        }
        guard let damage = findings.first(where: { $0.kind.severity == .error }) else {
            if findings.contains(where: { $0.kind == .storeAltered }) {
                return step(
                    .unknown, nil,
                    """
                    \(zip) store replaces that of the application, but is not as Core Data writes it: somebody changed \
                    it, and Core Data may refuse it (error 259).
                    """)
            }
            return step(.done, nil, "\(zip) store replaces that of the application.")
        }
        // try?: whether it opens decides
        guard found.kind == .sqlite, (try? SQLiteStore(found.path, examines: false)) != nil else {
            return unopened(Self.text(damage), step)
        }
        return step(
            .unknown, nil,
            """
            \(zip) store replaces that of the application, but is damaged (\(Self.text(damage))): Core Data may refuse \
            it (error 259), or fail when it comes to the damaged part.
            """)
    }

    private static let doubts: Set<FindingKind> = [.cannotBeRead, .changedMeanwhile, .tooLarge]

    private static func text(_ finding: Finding) -> String {
        finding.found.map { "\(finding.kind.title): \($0)" } ?? finding.kind.title
    }
}
