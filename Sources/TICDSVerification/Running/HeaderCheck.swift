import KeyedArchive
import SystemCalls
import TICDSCore

/// Checks the first bytes of a file.
enum HeaderCheck {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        guard file.size > 0 else { return [] }
        let checked = CheckedFile(file: file, context: context)
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            guard checked.isChecked else { return [] }
            if let finding = try checked.contentNotHere(head) { return [finding] }
            return HeaderVerdict(checked, head, size: size).findings
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
    }
}

extension CheckedFile {
    /// Whether anything is known of the form of such files; of others it only counts that they can be read. Leftovers of
    /// uploads are only checked as to their contents, and whoever made the files inside a store that is a folder keeps
    /// them in order.
    var isChecked: Bool {
        switch role {
        case .deviceInfo, .documentInfo, .tombstone, .changeSet, .encryptionTest, .register, .recentSync,
            .salt, .integrityKey:
            true
        case .wholeStore: !isInsideStoreFolder || isStoreOfFolder
        default: false
        }
    }

    /// True for the files below a `WholeStore.ticdsync` that is a folder.
    var isInsideStoreFolder: Bool { file.path.names.count > 5 }

    /// True for the one file of such a folder that is the store.
    private var isStoreOfFolder: Bool {
        guard let document = file.document, let client = file.client,
            let folder = context.snapshot.document(document)?.wholeStore(of: client)
        else { return false }
        let candidates = folder.storeFiles.map(\.path).filter { path in
            path.names.count == 6 && path.last.map(WholeStoreFolder.mayBeStore) ?? false
        }
        let store = candidates.first { $0.last == WholeStoreFolder.storeName } ?? candidates.first
        return store == file.path
    }
}
