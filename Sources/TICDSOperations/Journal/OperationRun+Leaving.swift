import SystemCalls
import SystemPackage
import TICDSCore

extension OperationRun {
    /// Ends an operation that can neither be completed nor be undone. The completed actions stay, and everything that
    /// they took away is in the trash, even if the operation keeps no trash.
    func leave(_ journal: borrowing Journal, _ steps: JournaledSteps) throws(FileProblem) {
        var trash: [(action: Int, totals: FileTotals)] = []
        for position in steps.indices where try storage.isThere(.slot(places.old(position))) {
            let contents = try keepInTrash(position)
            trash.append((position, FileTotals(count: contents.files ?? 1, bytes: contents.size)))
        }
        try syncPlaces()
        try journal.finish(places.number, .left, trash: trash)
        var restored: [TrashPlace] = []
        for place in steps.compactMap(\.action.kind.restored)
        where try !EntryPlace.trash(place, places.state).isFull { restored.append(place) }
        try journal.emptyTrash(in: restored)
        try Self.clean(places, storage)
    }

    /// Copies what an action took away to the trash if it is not there yet; returns its state.
    private func keepInTrash(_ position: Int) throws(FileProblem) -> EntryState {
        let (old, trash) = (places.old(position), places.trash(position))
        let contents = try storage.state(of: .slot(old))
        guard case .staged = old else { return contents }
        try PrivateDirectory.make(trash.folder)
        try fetch(old, toTrash: trash)
        guard try trash.contents == contents else { throw .changed(places.entry(old).path) }
        return contents
    }
}
