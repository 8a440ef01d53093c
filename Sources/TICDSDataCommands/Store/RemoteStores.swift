import Base
import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// The documents and clients of a remote whose whole stores a command reads.
struct RemoteStores {
    let remote: OpenRemote
    let documents: [DocumentSnapshot]
    /// Whether the options name a document.
    private let namesDocument: Bool
    /// The clients; nil for all.
    let clients: Set<RemoteName>?
    /// The keyring; locked without a password, so that only unencrypted files can be read.
    let keyring: RemoteKeyring
    /// The descriptions of the clients, by identifier.
    let names: [String: String]

    init(
        _ named: RemoteAddress, _ document: DocumentOptions, _ clients: ClientOptions,
        _ password: PasswordOptions, _ context: CommandContext
    ) throws(FileProblem) {
        let remote = try OpenRemote(named, password, context)
        let chosen = try document.some(of: remote.documents(), in: remote.path).map(\.identifier)
        namesDocument = document.isNarrowed
        documents = remote.snapshot.documents.filter { chosen.contains($0.identifier) }
        let uploaders = Set(documents.flatMap(\.wholeStores).map(\.client))
        self.clients = try remote.clients(clients, and: uploaders)
        do throws(FileProblem) {
            keyring = try remote.keyring()
        } catch {
            guard error.kind == .encrypted else { throw error }
            keyring = RemoteKeyring(.locked)
        }
        names = remote.clientNames(keyring).part
        self.remote = remote
    }

    /// The clients that the options name and that have no whole store in the documents, as far as they were listed.
    var clientsWithoutStore: [RemoteName] {
        (clients ?? []).subtracting(documents.flatMap(\.wholeStores).map(\.client)).sorted()
    }

    /// The reason why the options may choose more whole stores than were listed; nil if there is none.
    var unlisted: FileProblem? {
        if !namesDocument, let gap = remote.snapshot.gap(inNamesOf: [RemoteLayout.documents]) {
            return gap
        }
        return documents.lazy.compactMap { [remote] document in
            remote.snapshot.gap(inNamesOf: document.path.appending(RemoteLayout.wholeStore))
        }.first
    }

    /// The number of change sets of its document that a whole store lacks, or the reason why its register does not show
    /// it. Empty for a store that lacks none, and for one without a register.
    func lag(of place: RemotePath) -> [StoreNote] {
        let found = documents.lazy.flatMap { document in
            document.wholeStores.map { (document, $0) }
        }.first { $0.1.path == place.parent }
        guard let (document, store) = found, let register = store.register else { return [] }
        let coverage: RegisterCoverage
        do throws(FileProblem) {
            coverage = try RegisterCoverage(register.path, of: document, in: remote.storage)
        } catch {
            // An unreadable register is no reason to withhold the store.
            return [
                StoreNote(
                    code: "registerUnreadable",
                    text:
                        "the register of the whole store cannot be read, and nothing else shows which change sets the "
                        + "store lacks: \(error)")
            ]
        }
        let gap = remote.snapshot.gap(below: document.path.appending(RemoteLayout.syncChanges))
        guard coverage.lacking > 0 || gap != nil else { return [] }
        let owner = "the whole store of \(name(of: store.client))"
        let text: String
        if let gap {
            let least = coverage.lacking > 0 ? " (at least \(Quantities.count(coverage.lacking)))" : ""
            text = "it is unknown how many change sets of the document \(owner) lacks\(least): \(gap)"
        } else {
            let sets = Quantities.count(coverage.lacking, "change set")
            text =
                "\(owner) lacks \(sets) of the document; ticds-store replay, or export --newest, applies them"
        }
        return [StoreNote(code: "behind", text: text)]
    }

    /// The description of a client, otherwise its identifier.
    func name(of client: RemoteName) -> String { names[client.text] ?? client.text }
}
