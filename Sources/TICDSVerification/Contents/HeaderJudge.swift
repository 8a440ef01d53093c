import KeyedArchive
import SystemCalls
import TICDSCore

/// Judges the first bytes of a file.
enum HeaderJudge {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        let judged = JudgedFile(file: file, context: context)
        guard file.size > 0, judged.isOpened else { return [] }
        do throws(FileProblem) {
            let (head, size) = try judged.beginning()
            if let finding = try judged.contentNotHere(head) { return [finding] }
            return HeaderVerdict(judged, head, size: size).findings
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
    }
}

extension JudgedFile {
    /// Whether anybody looks into files of this role. Leftovers of uploads are only judged as to their contents; nobody
    /// reads the other roles, and whoever made the files inside a store that is a folder keeps them in order.
    var isOpened: Bool {
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
