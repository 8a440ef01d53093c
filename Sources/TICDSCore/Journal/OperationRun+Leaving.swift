import SystemCalls
import SystemPackage

extension OperationRun {
    /// Ends an operation that can go neither forward nor back: what has been done stays done, and whatever was taken away
    /// is in the trash, also of an operation that was to keep none.
    func leave(_ journal: borrowing Journal, _ steps: [JournaledStep]) throws(FileProblem) {
        var trash: [Int: FileTotals] = [:]
        for position in steps.indices where try places.old(position).isFull {
            let contents = try keepInTrash(position)
            trash[position] = FileTotals(count: contents.files ?? 1, bytes: contents.size)
        }
        try syncPlaces()
        try journal.finish(places.number, .left, trash: trash)
        for step in steps {
            guard case .restore(_, let slot, _) = step.action.change,
                try !EntryPlace.trash(slot, places.state).isFull
            else { continue }
            try journal.emptyTrash(of: slot.operation, action: slot.action)
        }
        try Self.clean(places)
    }

    /// Brings what an action took away to the trash, where it is not there yet; returns what it is.
    private func keepInTrash(_ position: Int) throws(FileProblem) -> EntryState {
        let old = places.old(position)
        let trash = places.trash(position)
        let contents = try old.contents
        guard old.folder != trash.folder else { return contents }
        try Folders.make(trash.folder)
        try trash.clear()
        try TreeCopy.copy(
            old.name, in: OwnedDescriptor.folder(old.folder), to: OwnedDescriptor.folder(trash.folder),
            as: trash.name)
        guard try trash.contents == contents else { throw .changed(old.folder.pushing(old.name)) }
        return contents
    }
}
