import SystemCalls
import TICDSCore
import TestSupport

@testable import TICDSVerification

extension CleanRemote {
    /// The findings of level contents, of all files.
    func contents(vault: RemoteVault? = nil, memoryLimit: Int = 32 << 20) throws -> [Finding] {
        let context = try limited(memoryLimit, vault: vault)
        return context.examinedFiles(of: nil).flatMap { ContentsJudge.findings(of: $0, context) }
    }

    /// The findings of level headers, of all files.
    func headers(vault: RemoteVault? = nil) throws -> [Finding] {
        let context = try context(vault: vault)
        return context.examinedFiles(of: nil).flatMap { HeaderJudge.findings(of: $0, context) }
    }

    private func limited(_ memoryLimit: Int, vault: RemoteVault?) throws -> VerificationContext {
        let full = try context(vault: vault)
        return VerificationContext(
            storage: full.storage, snapshot: full.snapshot, vault: full.vault, now: full.now,
            memoryLimit: memoryLimit)
    }

    /// The first change set of a client of `cookbook`.
    func changeSet(of client: Int = 0) throws -> String {
        let names = try changeSets(of: clients[client])
        return "Documents/cookbook/SyncChanges/\(clients[client])/\(names[0])"
    }

    func wholeStore(of client: Int = 0, in document: String = "cookbook") -> String {
        "Documents/\(document)/WholeStore/\(clients[client])/WholeStore.ticdsync"
    }

    func register(of client: Int = 0, in document: String = "cookbook") -> String {
        "Documents/\(document)/WholeStore/\(clients[client])/AppliedSyncChangeSets.ticdsync"
    }

    func deviceInfo(of client: Int = 0) -> String { "ClientDevices/\(clients[client])/deviceInfo.plist" }
}

extension [Finding] {
    /// "TICDS-0603 Documents/...", to be compared at a glance.
    var summary: [String] { map { "\($0.kind.code) \($0.path.names.map(\.text).joined(separator: "/"))" } }
}
