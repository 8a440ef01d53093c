import Base
public import SystemCalls
import SystemPackage
public import TICDSCore

/// The largest number of change sets of a document that one plan may remove. The user must allow more with
/// --max-delete.
public struct DeletionLimit: Sendable, Hashable {
    /// Half of the change sets of each document.
    public static let standard = DeletionLimit(.percent(50))

    /// The largest share of the change sets of each document that a plan may remove.
    public var share: CountOrPercent

    /// A limit with this share.
    public init(_ share: CountOrPercent) { self.share = share }

    /// - Throws: `.refused`, with the figure, if the plan moves to the trash or replaces more change sets of a document
    ///   than the limit allows.
    public func check(_ plan: Plan, _ snapshot: RemoteSnapshot) throws(FileProblem) {
        let beyond = Self.losses(plan, snapshot).filter { !allows($0) }
        guard let worst = beyond.max(by: { $0.taken < $1.taken }) else { return }
        let others =
            beyond.count > 1 ? ", and too many of \(counted(beyond.count - 1, "more document"))" : ""
        let path = RemoteLayout.document(worst.document).filePath(under: plan.root)
        throw FileProblem(
            .refused, path: path,
            "the plan would remove \(worst.taken) of the \(worst.all) change sets of the document \(worst.document)\(others)",
            expected: "at most \(text(for: worst))", found: "\(worst.percent)%",
            advice:
                "If the plan is what you want (--dry-run shows it), allow it with --max-delete \(worst.taken)"
        )
    }

    /// The change sets that a plan removes from one document.
    struct Loss: Hashable {
        var document: RemoteName
        /// Change sets that the plan moves to the trash or replaces.
        var taken: Int
        var all: Int

        /// The percentage that is taken, rounded up.
        var percent: Int { all == 0 ? 0 : (taken * 100 + all - 1) / all }
    }

    /// The documents that lose change sets.
    static func losses(_ plan: Plan, _ snapshot: RemoteSnapshot) -> [Loss] {
        let taken = TakenEntries(plan)
        return snapshot.documents.compactMap { document in
            var loss = Loss(document: document.identifier, taken: 0, all: 0)
            for client in document.clients {
                loss.all += client.changeSets.count
                loss.taken += taken.count(client)
            }
            return loss.taken > 0 ? loss : nil
        }
    }

    private func allows(_ loss: Loss) -> Bool {
        switch share {
        case .count(let count): loss.taken <= count
        case .percent(let percent): loss.taken * 100 <= loss.all * percent
        }
    }

    private func text(for loss: Loss) -> String {
        switch share {
        case .count: share.text
        case .percent: "\(share.text), which is \(share.count(of: loss.all))"
        }
    }
}

/// The entries that a plan takes away or replaces.
private struct TakenEntries {
    private var paths: Set<RemotePath> = []
    /// The names, by the folder that contains them.
    private var names: [RemotePath: Set<RemoteName>] = [:]

    init(_ plan: Plan) {
        for action in plan.actions {
            switch action.kind {
            case .moveToTrash(let path, _), .replaceFile(let path, _, _, _):
                paths.insert(path)
                if let name = path.last { names[path.parent, default: []].insert(name) }
            case .makeFolder, .writeFile, .writeTree, .adopt, .setTime, .restore: break
            }
        }
    }

    /// The number of change sets of a client that the plan removes.
    func count(_ client: ClientChangeSets) -> Int {
        if client.path.lineage.contains(where: paths.contains) { return client.changeSets.count }
        guard let taken = names[client.path] else { return 0 }
        return client.changeSets.count { taken.contains($0.name) }
    }
}
