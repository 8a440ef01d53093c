import Base
import SystemCalls
import TICDSCore

/// The result of a check of the first bytes and the size of a file.
struct HeaderOutcome {
    private(set) var findings: [Finding] = []
    private(set) var goesOn = true
    private let checked: CheckedFile
    private let head: SharedBytes
    private let size: Int64
    private let signature: PlainSignature?

    /// - Parameter head: the first 64 bytes; fewer if the file is shorter.
    init(_ checked: CheckedFile, _ head: SharedBytes, size: Int64) {
        self.checked = checked
        self.head = head
        self.size = size
        signature = PlainSignature(head)
        guard head.count > 0 else {
            goesOn = false
            return
        }
        switch checked.role {
        case .salt: checkSalt()
        case .register: checkPlainFile([.sqlite], else: .registerDamaged)
        case .recentSync: checkPlainFile([.xml, .binaryPropertyList], else: .unreadListDamaged)
        case .encryptionTest where !checked.context.isEncrypted: stop(checked.finding(.testWithoutSalt))
        case let role where role.isEncryptedByClients: checkProtectedFile()
        default: goesOn = false
        }
        if checked.role == .wholeStore { checkSurroundings() }
    }

    private mutating func stop(_ finding: Finding) {
        findings.append(finding)
        goesOn = false
    }

    private mutating func checkSalt() {
        if size != 16 { stop(checked.finding(.saltLength, expected: "16 bytes", found: "\(size)")) }
        if checked.context.snapshot.encryptionTest == nil {
            findings.append(checked.finding(.saltWithoutTest))
        }
        goesOn = false
    }

    private mutating func checkPlainFile(_ expected: [PlainSignature], else kind: FindingKind) {
        if let signature, expected.contains(signature) { return }
        guard checked.context.isEncrypted, looksEncrypted else { return stop(wrongStart(kind, expected)) }
        let effects = checked.role == .register ? nil : [Effect(.harmless, .nobody)]
        stop(checked.finding(.encryptedButReadPlain, effects: effects))
    }

    /// Checks a file that clients encrypt in an encrypted remote.
    private mutating func checkProtectedFile() {
        if checked.context.isEncrypted {
            if let signature {
                let found = "\(signature)"
                stop(checked.finding(.plainInEncrypted, found: found, effects: checked.plainInstead))
            } else if !EncryptedFile.canHaveSize(Int(clamping: size)) {
                let expected = "96 bytes plus a multiple of 16, at least 112"
                stop(
                    checked.finding(
                        .encryptedSize, expected: expected, found: "\(size) bytes",
                        effects: checked.failedDecryption))
            }
        } else if signature == nil, looksEncrypted, checked.context.snapshot.encryptionTest != nil {
            // The salt is missing, which is one finding for the whole remote.
            goesOn = false
        } else if signature == nil, looksEncrypted {
            stop(checked.finding(.encryptedInPlain, effects: checked.encryptedInstead))
        } else {
            checkSignature()
        }
    }

    private mutating func checkSignature() {
        switch checked.role {
        case .changeSet where signature == .sqlite: findings.append(checked.finding(.sqliteChangeSet))
        case .changeSet where signature != .binaryStore: stop(wrongStart(.notAChangeSet, [.binaryStore]))
        case .wholeStore where signature == nil || signature == .binaryPropertyList:
            stop(wrongStart(.notAWholeStore, [.sqlite, .binaryStore, .xml, .zip]))
        case .deviceInfo where !isPropertyList, .documentInfo where !isPropertyList:
            stop(wrongStart(.propertyListDamaged, [.xml, .binaryPropertyList]))
        case .tombstone where !isPropertyList:
            stop(wrongStart(.unreadListDamaged, [.xml, .binaryPropertyList]))
        default: break
        }
    }

    private var isPropertyList: Bool { signature == .xml || signature == .binaryPropertyList }

    private mutating func checkSurroundings() {
        if checked.isInsideStoreFolder { findings.append(checked.finding(.storeIsFolder)) }
        guard let name = checked.file.document, let client = checked.file.client,
            let document = checked.context.snapshot.document(name),
            let store = document.wholeStore(of: client), store.register == nil,
            let uploaded = store.store?.modified
        else { return }
        let older = document.clients.contains { member in
            member.changeSets.times.map { $0.lowerBound < uploaded } ?? false
        }
        if older { findings.append(checked.finding(.noRegister)) }
    }

    private func wrongStart(_ kind: FindingKind, _ expected: [PlainSignature]) -> Finding {
        let names = expected.map(\.rawValue).joined(separator: ", ")
        return checked.finding(
            kind, offset: 0, expected: names, found: signature?.rawValue ?? head.array(0..<8).hexadecimalText)
    }

    private var looksEncrypted: Bool { EncryptedFile.looksEncrypted(head, size: size) }
}

/// Checks the first bytes of a file.
enum HeaderCheck {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        let checked = CheckedFile(file: file, context: context)
        guard file.size > 0 else { return ofEmpty(checked) }
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            guard checked.isChecked else { return [] }
            if let finding = try checked.contentNotHere(head) { return [finding] }
            return HeaderOutcome(checked, head, size: size).findings
        } catch { return checked.findings(error, .cannotBeRead) }
    }

    /// The findings of an empty file that harms no client; `StrayCheck` reports the others.
    static func ofEmpty(_ checked: CheckedFile) -> [Finding] {
        guard checked.role == .recentSync || checked.role == .tombstone else { return [] }
        return [checked.finding(.unreadListDamaged, expected: "a property list", found: "0 bytes")]
    }
}

extension CheckedFile {
    /// Whether the file has a known form. Files of other roles only have to be readable. In a store that is a folder, only
    /// the store itself is checked; leftovers of uploads are checked by `ContentsCheck` alone.
    var isChecked: Bool {
        switch role {
        case .deviceInfo, .documentInfo, .tombstone, .changeSet, .encryptionTest, .register, .recentSync,
            .salt, .integrityKey:
            true
        case .wholeStore: !isInsideStoreFolder || isStoreOfFolder
        default: false
        }
    }

    /// Whether the file is in a `WholeStore.ticdsync` that is a folder.
    var isInsideStoreFolder: Bool { file.path.names.count > 5 }

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
