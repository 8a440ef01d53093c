import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages
import TICDSSync

/// The remote whose journal a command reads, or all remotes with one.
struct JournalOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The application folder of the remote, even if it was removed. Default: TICDS_REMOTE, or every remote that has a journal."
        ),
        completion: .directory)
    var remote: String?

    /// The remotes, sorted by path. A remote that was moved has a journal for each of its paths.
    func states() throws -> [RemoteState] {
        if let named = try named() {
            let all = try RemoteState.all(of: named.root, in: try Environment.stateHome)
            return all.isEmpty ? [named] : all
        }
        return try RemoteState.all(in: try Environment.stateHome)
    }

    /// The named remote; nil for all.
    func named(in home: FilePath? = nil) throws -> RemoteState? {
        guard remote != nil || Environment.path("TICDS_REMOTE") != nil else { return nil }
        return try JournaledRemote.state(try RemoteOptions.address(named: remote), in: home)
    }
}

/// One operation of one remote.
struct OperationOptions: ParsableArguments {
    @Argument(
        help: .value("remote> <number", "The remote (or TICDS_REMOTE) and the operation's number."),
        completion: LiveCompletion.operations.afterRemote)
    var arguments: [String] = []

    @Flag(
        help:
            """
            In place of a number: the last operation that is done and was not undone. An undo does not count, but the \
            undo of an undo does; runs of ticds-sync do not count.
            """
    )
    var last = false

    /// The remote, and the number of the operation.
    /// - Parameter command: the subcommand, for advice.
    func operation(of command: String) throws -> (state: RemoteState, number: Int64) {
        if last {
            guard arguments.count < 2 else { throw ValidationError("Give a NUMBER or --last, not both.") }
            let state = try JournaledRemote.state(try RemoteOptions.address(named: arguments.first))
            let operations = try JournaledRemote.journal(state).operations()
            guard let newest = operations.first(where: { $0.isLast(among: operations) }) else {
                let remote = ShellWord.quoted(state.root)
                let undo = operations.first { $0.state == .done && $0.undoes != nil && $0.undoneBy == nil }
                throw FileProblem(
                    .refused, path: state.root, "every operation was undone already",
                    advice: undo.map {
                        "Operation \($0.number) is an undo. To undo that: ticds-journal undo \(remote) \($0.number)"
                    } ?? "Look with: ticds-journal list \(remote)")
            }
            return (state, newest.number)
        }
        if arguments.isEmpty {
            throw ValidationError("Name a REMOTE and the NUMBER of an operation, or --last.")
        }
        let (named, argument) = try RemoteOptions.separate(arguments, named: "NUMBER") { remote in
            "ticds-journal \(command) \(remote) --last"
        }
        guard let number = Int64(argument), number > 0 else {
            throw ValidationError("Give the number of an operation as ticds-journal list shows it.")
        }
        return (try JournaledRemote.state(named), number)
    }
}

extension OperationRecord {
    /// Whether `--last` may take the operation: a change, or the undo of an undo, which brings a change back.
    fileprivate func isLast(among operations: [OperationRecord]) -> Bool {
        guard state == .done, undoneBy == nil, !isSynchronisation else { return false }
        var undone = undoes
        var isChange = true
        while let number = undone {
            isChange.toggle()
            // An undo is younger than the operation that it undoes, so that this terminates.
            undone = operations.first { $0.number == number }?.undoes.flatMap { $0 < number ? $0 : nil }
        }
        return isChange
    }

    /// Whether a run of ticds-sync did the operation, and not a user.
    var isSynchronisation: Bool { command == ReplicaSession.runCommand && !isUnfinished && undoneBy == nil }
}

/// Finds the journal of a remote by any path to it, even if its folder was removed.
enum JournaledRemote {
    /// - Parameter home: the state home with the journal; nil for the user's state home.
    /// - Throws: `.unsupported` for an archive.
    static func state(_ named: RemoteAddress, in home: FilePath? = nil) throws(FileProblem) -> RemoteState {
        if case .folder(let path) = named { return try state(path, in: home) }
        let home = if let home { home } else { try Environment.stateHome }
        let known = try RemoteState.all(in: home)
        if let state = known.first(where: { $0.root == named.root }) { return state }
        if named.archive != nil {
            throw FileProblem(
                .unsupported, path: named.root, "an archive has no journal, since it is never changed",
                advice:
                    "Name the remote from which it was made, or the folder of the snapshots; ticds-journal list names all that have a journal"
            )
        }
        let inside = known.filter { $0.root.removingLastComponent() == named.root }
        return inside.count == 1 ? inside[0] : RemoteState(root: named.root, stateHome: home)
    }

    private static func state(_ named: FilePath, in home: FilePath? = nil) throws(FileProblem) -> RemoteState
    {
        let home = if let home { home } else { try Environment.stateHome }
        if let archives = try RemoteState.knownArchives(in: named.resolvedAllowingMissing(), stateHome: home)
        {
            return archives
        }
        do throws(FileProblem) {
            let found = try RemoteLocation.find(named)
            return RemoteState(root: try found.resolved() ?? found, stateHome: home)
        } catch {
            let path = try named.resolvedAllowingMissing()
            let known = try RemoteState.all(in: home)
            if let state = known.first(where: { $0.root == path }) { return state }
            if error.isUnread { throw error }
            let inside = known.filter { $0.root.removingLastComponent() == path }
            if inside.count == 1 { return inside[0] }
            // Nothing was removed from these snapshots yet.
            if try DatedArchiveName.areIn(path) { return RemoteState(root: path, stateHome: home) }
            throw error
        }
    }

    /// The journal of a remote.
    /// - Throws: `.missing` if nothing has been changed yet.
    static func journal(_ state: RemoteState) throws(FileProblem) -> Journal {
        if let journal = try Journal.read(state) { return journal }
        let earlier = try RemoteState.all(of: state.root, in: state.home).lazy.compactMap(\.movedFrom).first
        throw FileProblem(
            .missing, path: state.root, "there is no journal of this remote", expected: "\(state.folder)",
            advice: earlier.map {
                "What was done while the folder was \($0.escaped) can be undone once it is there again: move it back"
            }
                ?? "Nothing has been changed at this path; ticds-journal list names all remotes that have a journal"
        )
    }
}
