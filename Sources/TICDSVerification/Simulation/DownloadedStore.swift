import SystemCalls
import TICDSCore

/// Simulates the download and installation of one whole store (ticds-remote-format(5), 1.6; ticds-protocol(7), 4.7).
struct DownloadedStore {
    let context: VerificationContext
    let variant: Variant
    let document: RemoteName
    /// Whether the client decrypts what it fetches.
    let isEncrypted: Bool

    func step(_ path: RemotePath, _ entry: FolderEntry) -> SimulationStep {
        func step(
            _ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String
        ) -> SimulationStep {
            SimulationStep(
                .download, "Fetch and install the store", outcome, error, section: "4.7-2", paths: [path],
                text)
        }
        if entry.kind == .folder { return folder(step) }
        if isEncrypted {
            switch EncryptedFetch(context: context).state(of: path) {
            case .opens: break
            case .notChecked(let reason):
                return step(.unknown, nil, "\(reason); the simulation assumes that the store is sound.")
            case .missing: return step(.fails, variant.errorOfMissingFile, "The store has vanished.")
            case .tooShort, .refused:
                guard variant == .dropbox else {
                    return step(.fails, .encryption, "The store cannot be decrypted.")
                }
                return step(
                    .silentLoss, nil,
                    """
                    The store cannot be decrypted, but the download continues and puts an empty \
                    file in the place of the user's store.
                    """
                )
            }
        }
        return opened(path, step)
    }

    private typealias Make = (SimulationStep.Outcome, FrameworkError?, String) -> SimulationStep

    private func folder(_ step: Make) -> SimulationStep {
        switch (variant, isEncrypted) {
        case (.iCloud, false):
            step(.done, nil, "The store is a folder, which this variant copies as it is.")
        case (.iCloud, true): step(.wouldCrash, nil, "A folder cannot be decrypted: an assertion fails.")
        case (.fileManager, true):
            step(.fails, .encryption, "The store is a folder, which cannot be decrypted.")
        case (.fileManager, false):
            step(
                .silentLoss, nil,
                """
                The store is a folder; the client puts it in the place of the user's store, and \
                the application cannot open it.
                """
            )
        case (.dropbox, _): step(.fails, .dropboxClient, "The store is a folder, which cannot be fetched.")
        }
    }

    private func opened(_ path: RemotePath, _ step: Make) -> SimulationStep {
        let found: WholeStoreFile
        do throws(FileProblem) {
            found = try WholeStoreFile.open(path, in: context.storage, keyring: context.keyring)
        } catch {
            context.unread.note(error, at: path)
            // These errors do not show whether the file is a store.
            if error.isUnread || [.encrypted, .limit].contains(error.kind) {
                return step(.unknown, nil, "The store could not be checked here (\(error.problem)).")
            }
            return step(
                .silentLoss, nil,
                """
                The file is not a store (\(error.problem)), but the client puts it in the place of \
                the user's store nevertheless.
                """
            )
        }
        guard found.layers.contains(.zip) else {
            return step(.done, nil, "The store replaces that of the application.")
        }
        guard variant == .dropbox else {
            return step(
                .silentLoss, nil,
                """
                The store is a zip, which only the Dropbox variant extracts: the client puts the \
                zip itself in the place of the user's store.
                """
            )
        }
        let name = RemoteName(found.memberName ?? [])
        guard name == document else {
            return step(
                .fails, .fileManager,
                """
                The entry of the zip is called \(name), but the client looks for one with the name \
                of the document, \(document).
                """
            )
        }
        return step(.done, nil, "The zip is extracted, and the store replaces that of the application.")
    }
}
