import KeyedArchive
import TICDSCore

/// What the first bytes and the size of a file say.
struct HeaderVerdict {
    private(set) var findings: [Finding] = []
    /// Whether there is anything in the file that is worth a closer look.
    private(set) var goesOn = true
    private let judged: JudgedFile
    private let head: SharedBytes
    private let size: Int64
    private let signature: PlainSignature?

    /// - Parameter head: the first 64 bytes, fewer where the file is shorter.
    init(_ judged: JudgedFile, _ head: SharedBytes, size: Int64) {
        self.judged = judged
        self.head = head
        self.size = size
        signature = PlainSignature(head)
        guard head.count > 0 else {
            goesOn = false
            return
        }
        switch judged.role {
        case .salt: judgeSalt()
        case .register: judgePlainFile([.sqlite], else: .registerDamaged)
        case .recentSync: judgePlainFile([.xml, .binaryPropertyList], else: .unreadListDamaged)
        case .encryptionTest where !judged.context.isEncrypted:
            stop(judged.finding(.testWithoutSalt))
        case let role where role.isEncryptedByClients: judgeProtectedFile()
        default: goesOn = false
        }
        if judged.role == .wholeStore { judgeSurroundings() }
    }

    private mutating func stop(_ finding: Finding) {
        findings.append(finding)
        goesOn = false
    }

    private mutating func judgeSalt() {
        if size != 16 { stop(judged.finding(.saltLength, expected: "16 bytes", found: "\(size)")) }
        if judged.context.snapshot.encryptionTest == nil { findings.append(judged.finding(.saltWithoutTest)) }
        goesOn = false
    }

    /// A file that clients never encrypt.
    private mutating func judgePlainFile(_ expected: [PlainSignature], else kind: FindingKind) {
        if let signature, expected.contains(signature) { return }
        guard judged.context.isEncrypted, looksEncrypted else {
            return stop(wrongStart(kind, expected))
        }
        let effects = judged.role == .register ? nil : [Effect(.harmless, .nobody)]
        stop(judged.finding(.encryptedButReadPlain, effects: effects))
    }

    /// A file that clients encrypt in an encrypted remote.
    private mutating func judgeProtectedFile() {
        if judged.context.isEncrypted {
            if let signature {
                let found = "\(signature)"
                stop(judged.finding(.plainInEncrypted, found: found, effects: judged.plainInstead))
            } else if !EncryptedFile.canHaveSize(Int(clamping: size)) {
                let expected = "96 bytes plus a multiple of 16, at least 112"
                stop(
                    judged.finding(
                        .encryptedSize, expected: expected, found: "\(size) bytes",
                        effects: judged.failedDecryption))
            }
        } else if signature == nil, looksEncrypted, judged.context.snapshot.encryptionTest != nil {
            // The salt is missing, which is one finding for all of them.
            goesOn = false
        } else if signature == nil, looksEncrypted {
            stop(judged.finding(.encryptedInPlain, effects: judged.encryptedInstead))
        } else {
            judgeSignature()
        }
    }

    private mutating func judgeSignature() {
        switch judged.role {
        case .changeSet where signature == .sqlite: findings.append(judged.finding(.sqliteChangeSet))
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

    /// What is beside a whole store, or around it.
    private mutating func judgeSurroundings() {
        if judged.isInsideStoreFolder { findings.append(judged.finding(.storeIsFolder)) }
        guard let name = judged.file.document, let client = judged.file.client,
            let document = judged.context.snapshot.document(name),
            let store = document.wholeStore(of: client), store.register == nil,
            let uploaded = store.store?.modified
        else { return }
        let older = document.clients.contains { member in
            member.changeSets.times.map { $0.lowerBound < uploaded } ?? false
        }
        if older { findings.append(judged.finding(.noRegister)) }
    }

    private func wrongStart(_ kind: FindingKind, _ expected: [PlainSignature]) -> Finding {
        let names = expected.map(\.rawValue).joined(separator: ", ")
        return judged.finding(
            kind, offset: 0, expected: names, found: signature?.rawValue ?? head.array(0..<8).hexadecimalText)
    }

    private var looksEncrypted: Bool { EncryptedFile.looksEncrypted(head, size: size) }
}
