import Base
import SystemCalls
import TICDSCore

/// Finds files that no client removes.
struct LeftoversCheck: RemoteCheck {
    private let context: VerificationContext
    private var snapshot: RemoteSnapshot { context.snapshot }

    static func findings(_ context: VerificationContext) -> [Finding] {
        let leftovers = LeftoversCheck(context: context)
        return context.snapshot.documents.compactMap(leftovers.temporaryFiles)
            + leftovers.devicesWithoutDocument()
    }

    private func temporaryFiles(of document: DocumentSnapshot) -> Finding? {
        guard !document.temporaryFiles.isEmpty else { return nil }
        let totals = document.temporaryFiles.reduce(into: FileTotals()) { $0.add($1.size) }
        return context.finding(
            .temporaryFiles, at: document.path.appending(RemoteLayout.temporaryFiles),
            document: document.identifier, found: counted(totals.count, "file"), bytes: totals.bytes)
    }

    /// Leaves out devices without device info, which have a finding of their own.
    private func devicesWithoutDocument() -> [Finding] {
        guard !snapshot.documents.isEmpty else { return [] }
        var active: Set<RemoteName> = []
        for document in snapshot.documents {
            active.formUnion(document.clients.lazy.map(\.identifier))
            active.formUnion(document.syncCommands)
            active.formUnion(document.recentSyncs.lazy.map(\.client))
            active.formUnion(document.wholeStores.lazy.map(\.client))
        }
        return snapshot.clientDevices.compactMap { device in
            let path: RemotePath = [RemoteLayout.clientDevices, device.identifier]
            guard device.deviceInfo.part != nil, !active.contains(device.identifier),
                !context.covered.isTwin(path)
            else { return nil }
            return context.finding(.deviceWithoutDocument, at: path, client: device.identifier)
        }
    }
}
