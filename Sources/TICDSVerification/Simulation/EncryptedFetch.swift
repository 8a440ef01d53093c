import SystemCalls
import TICDSCore

/// How the framework's decryption of one file of an encrypted remote ends (ticds-protocol(7), 6.3). Plain files fail
/// like damaged ones: the framework never looks whether a file is encrypted.
struct EncryptedFetch {
    let context: VerificationContext

    enum State {
        case opens
        case missing
        /// 32 bytes or less: fails without the code that tells a wrong password.
        case tooShort
        /// The HMAC does not fit.
        case refused
        /// No password, or the file could not be read here; why, as the beginning of a sentence.
        case notChecked(String)
    }

    init(_ context: VerificationContext) { self.context = context }

    /// - Parameter plain: takes the plain text in pieces; only what `.opens` follows is authentic.
    func state(of path: RemotePath, plain: (UnsafeRawBufferPointer) -> Void = { _ in }) -> State {
        guard let entry = context.snapshot.tree[path] else { return .missing }
        guard entry.kind == .file else { return .tooShort }
        if entry.size <= 32 { return .tooShort }
        guard EncryptedFile.canHaveSize(Int(clamping: entry.size)) else { return .refused }
        guard let key = context.keyring.key else {
            return .notChecked("Without a password no file can be decrypted")
        }
        let reader = RangeReader(context.storage, path)
        do throws(FileProblem) {
            try EncryptedFile.decrypt(reader, with: key, budget: context.memoryLimit) { plain($0) }
            return .opens
        } catch {
            context.unread.note(error, at: path)
            switch error.kind {
            case .damaged, .wrongPassword: return .refused
            case .missing: return .missing
            default: return .notChecked("The file could not be read here (\(error.problem))")
            }
        }
    }
}
