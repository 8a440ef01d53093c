package import SystemCalls
package import SystemPackage
package import TICDSCore

extension RemoteKeyring {
    /// The error for names that only lack the password; nil if the keyring opens them.
    package func missingPassword(of root: FilePath) -> FileProblem? {
        state == .locked ? FileProblem(.encrypted, path: root, "encrypted, and no password is given") : nil
    }
}

/// Finds clients and documents by their names for people.
extension ReportedRemote {
    /// Clients that are registered with the app, or merely mentioned by a document.
    /// - Parameter removed: the descriptions of removed clients, as far as they are known.
    private func namedClients(removed descriptions: [RemoteName: String]) -> [NamedItem] {
        let removed = Set(report.documents.flatMap(\.deletedClients.part))
        return report.clients.map {
            NamedItem(
                $0.identifier, $0.description ?? descriptions[$0.identifier],
                locked: locked ?? snapshot.gap(at: RemoteLayout.deviceInfo(of: $0.identifier)))
        }
            + removed.subtracting(report.clients.map(\.identifier)).sorted().map {
                NamedItem($0, descriptions[$0], locked: locked)
            }
    }

    private var locked: FileProblem? { keyring.missingPassword(of: root) }

    package var namedDocuments: Seen<[NamedItem]> {
        let items = report.documents.map {
            NamedItem(
                $0.identifier, $0.description,
                locked: locked ?? snapshot.gap(at: RemoteLayout.documentInfo(of: $0.identifier)))
        }
        return Seen(items, report.unread)
    }

    /// Documents of which only a tombstone is left.
    package var namedDeletedDocuments: [NamedItem] {
        report.deletedDocuments.filter { snapshot.document($0.identifier) == nil }.map {
            NamedItem($0.identifier, $0.description, locked: locked)
        }
    }

    /// The client that an argument or option names.
    /// - Parameters:
    ///   - option: nil if an argument names it.
    ///   - removed: the descriptions of removed clients, as far as they are known.
    package func client(
        named name: String, option: String? = nil, removed: [RemoteName: String] = [:]
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "client", option: option, remote: root,
            items: Seen(namedClients(removed: removed), report.unread))
        return try names.item(name).identifier
    }

    /// The document that an argument names.
    package func document(named name: String) throws(FileProblem) -> RemoteName {
        let names = NameResolver(noun: "document", option: nil, remote: root, items: namedDocuments)
        return try names.item(name).identifier
    }

    /// The document that the options name.
    package func document(_ options: DocumentOptions) throws(FileProblem) -> RemoteName {
        try options.one(of: namedDocuments, in: root).identifier
    }
}
