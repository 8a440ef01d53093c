package import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSOperations
import TICDSStorages

/// The endings of archives.
private let archiveEndings = ["zst", "xz", "gz", "tgz", "txz", "tar", "zip"]

/// Completions that are looked up while the user types. They print no error: without a readable remote there are no
/// completions, and an encrypted remote gives identifiers without descriptions.
package enum LiveCompletion: Sendable {
    case documents, clients, changeSets, clientsAndChangeSets, deletedDocuments, deletedClients
    /// Operations in the journal.
    case operations
    case files
    /// Local folders and archives, storages and their folders if the word begins like one, and snapshots behind the colon
    /// after a folder.
    case remotes
    case words(@Sendable () -> [String])
    /// No completion, for values that cannot be completed.
    case nothing

    /// Lines that make the script of a shell offer folders and files as its shell does.
    private static let placeLines = ["/files \(archiveEndings.joined(separator: " "))"]
    private static let fileLines = ["/files"]

    /// The completion for an option or argument that takes one of them.
    package var kind: CompletionKind { .custom { words, _, _ in lines(CompletionRequest(words)) } }

    /// The completion for an array of arguments that begins with REMOTE, unless TICDS_REMOTE names it. Offers folders
    /// until an argument names a remote; with TICDS_REMOTE, only if nothing else matches.
    package var afterRemote: CompletionKind {
        .custom { words, _, _ in
            let request = CompletionRequest(words)
            if request.namedRemote != nil { return lines(request) }
            let found = Environment["TICDS_REMOTE"] == nil ? [] : lines(request)
            return found.isEmpty ? Self.remotes.lines(request) : found
        }
    }

    /// The completion for arguments that name files or, with `--remote`, entries of that remote.
    package var withRemoteOption: CompletionKind {
        .custom { words, _, _ in
            let request = CompletionRequest(words)
            return request.value(of: "--remote") == nil ? Self.fileLines : lines(request)
        }
    }

    func lines(_ request: CompletionRequest) -> [String] {
        let candidates: [CompletionCandidate]
        switch self {
        case .files: return Self.fileLines
        case .nothing: return []
        case .remotes:
            guard let scheme = StorageSchemes.scheme(of: request.typed) else {
                let snapshots = ArchiveAddress.completions(request.typed)
                return snapshots.isEmpty
                    ? Self.placeLines : snapshots.map { CompletionCandidate($0) }.lines(typed: request.typed)
            }
            // try?: completion offers what it can
            candidates = ((try? scheme.completions(request.typed)) ?? []).map {
                CompletionCandidate($0)
            }
        case .words(let words): candidates = words().map { CompletionCandidate($0) }
        case .operations: candidates = CompletionOperations.all(request)
        default: candidates = CompletionNames(request).map { named(in: $0, request) } ?? []
        }
        return candidates.lines(typed: request.typed)
    }

    private func named(in names: CompletionNames, _ request: CompletionRequest) -> [CompletionCandidate] {
        switch self {
        case .documents: names.documents
        case .clients: names.clients
        case .changeSets: names.changeSets(typed: request.typed)
        case .clientsAndChangeSets: names.clients + names.changeSets(typed: request.typed)
        case .deletedDocuments: names.deletedDocuments
        case .deletedClients: names.deletedClients
        case .operations, .files, .nothing, .remotes, .words: []
        }
    }
}

extension CompletionKind {
    /// The completion of the first word of a command line, from the commands that each shell knows.
    package static var commandLine: CompletionKind { .custom { _, _, _ in ["/commands"] } }

    /// Archives that ticds writes, by the endings of their names.
    package static var archives: CompletionKind { .file(extensions: archiveEndings) }
}
