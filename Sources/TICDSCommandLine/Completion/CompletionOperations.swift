import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations
import TICDSStorages

/// The operations in the journal of a remote, even of one that was removed.
enum CompletionOperations {
    static func all(_ request: CompletionRequest) -> [CompletionCandidate] {
        // try?: completion offers what it can
        guard let home = try? Environment.stateHome, let state = state(request, home),
            let journal = try? Journal.read(state, waiting: false),  // try?: completion offers what it can
            let operations = try? journal.operations()  // try?: completion offers what it can
        else { return [] }
        return operations.map { operation in
            CompletionCandidate(
                "\(operation.number)",
                note: [TextStyle().minute(operation.started), operation.summary].joined(separator: ", "))
        }
    }

    private static func state(_ request: CompletionRequest, _ home: FilePath) -> RemoteState? {
        if case .folder(let remote) = request.remote {
            // try?: completion offers what it can
            return RemoteState(root: (try? remote.resolved()) ?? remote, stateHome: home)
        }
        let named =
            request.before.filter { !$0.hasPrefix("-") && !$0.isEmpty }.map { FilePath($0) }
            + [Environment.path("TICDS_REMOTE")].compactMap(\.self)
        // try?: completion offers what it can
        guard let known = try? RemoteState.all(in: home) else { return nil }
        return known.first { state in named.contains { $0.lexicallyNormalized() == state.root } }
    }
}
