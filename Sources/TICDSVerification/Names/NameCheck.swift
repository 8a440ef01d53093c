import TICDSCore

/// Checks that names are UTF-8, and long enough for the framework's lists.
struct NameCheck: RemoteCheck {
    private let context: VerificationContext
    private var snapshot: RemoteSnapshot { context.snapshot }

    static func findings(_ context: VerificationContext) -> [Finding] {
        let names = NameCheck(context: context)
        return names.foreignNames() + names.shortIdentifiers()
    }

    /// Leaves out strays, which have findings of their own.
    private func foreignNames() -> [Finding] {
        let strays = Set(snapshot.strays.map(\.path))
        var findings: [Finding] = []
        for (folder, listing) in snapshot.tree.folders {
            for position in listing.indices where listing.withName(at: position, Self.isForeign) {
                let path = folder.appending(listing[position].name)
                guard !strays.contains(path) else { continue }
                findings.append(foreignName(path))
            }
        }
        return findings
    }

    private static func isForeign(_ name: UnsafeRawBufferPointer) -> Bool {
        if name.allSatisfy({ $0 < 0x80 }) { return false }
        return String(validating: name, as: UTF8.self) == nil
    }

    private func foreignName(_ path: RemotePath) -> Finding {
        let place = RemotePlace(of: path)
        let holdsEdits: Bool =
            switch place {
            case .changeSets, .clients: true
            default: false
            }
        return context.finding(
            .nameNotUTF8, at: path, document: place.document, client: place.client,
            expected: "a name in UTF-8", found: path.last.map(\.description),
            effects: holdsEdits ? nil : [Effect(.breaksLists, .everyone)])
    }

    private func shortIdentifiers() -> [Finding] {
        var findings: [Finding] = []
        var clients = Set(snapshot.clientDevices.map(\.identifier).filter(Self.isShort))
        for client in clients {
            findings.append(short(client, at: [RemoteLayout.clientDevices, client], client: client))
        }
        for document in snapshot.documents {
            if Self.isShort(document.identifier) {
                findings.append(
                    short(
                        document.identifier, at: document.path, document: document.identifier,
                        effects: [Effect(.breaksLists, .everyone)]))
            }
            for client in document.clients {
                if Self.isShort(client.identifier), clients.insert(client.identifier).inserted {
                    findings.append(
                        short(
                            client.identifier, at: client.path, document: document.identifier,
                            client: client.identifier))
                }
                findings += shortChangeSets(of: client, in: document.identifier)
            }
        }
        return findings
    }

    private func shortChangeSets(of client: ClientChangeSets, in document: RemoteName) -> [Finding] {
        let listing = snapshot.tree.listing(client.path).part
        let longest = RemoteLayout.changeSetSuffix.utf8.count + 4 * (RemoteLayout.shortestListedName - 1)
        let mayHoldShortNames = listing.indices.contains { position in
            listing.withName(at: position) { $0.count <= longest }
        }
        guard mayHoldShortNames else { return [] }
        return client.changeSets.lazy.filter { Self.isShort($0.identifier) }.map { set in
            short(
                set.identifier, at: client.path.appending(set.name), document: document,
                client: client.identifier, effects: [Effect(.silentlyLost, .everyoneElse)])
        }
    }

    private func short(
        _ identifier: RemoteName, at path: RemotePath, document: RemoteName? = nil, client: RemoteName? = nil,
        effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            .shortIdentifier, at: path, document: document, client: client,
            expected: "at least \(RemoteLayout.shortestListedName) characters",
            found: identifier.description, effects: effects)
    }

    private static func isShort(_ name: RemoteName) -> Bool { !FrameworkLists.isLongEnough(name) }
}
