import SystemCalls

/// Plans the tombstones of removed clients and deleted documents: byte copies of their property lists, encrypted or
/// not, with the times of these files (ticds-remote-format(5), 1.4).
package struct Tombstones {
    let remote: PlannedRemote
    /// Whether to write only the identifier if there is no property list to copy.
    let standIn: Bool

    /// The tombstone of a client in a document.
    package static func path(of client: RemoteName, in document: RemoteName) -> RemotePath {
        [
            RemoteLayout.documents, document, RemoteLayout.deletedClients,
            RemoteName(client.bytes + RemoteLayout.propertyListSuffix.utf8),
        ]
    }

    /// The tombstone of a document.
    package static func path(ofDocument document: RemoteName) -> RemotePath {
        [
            RemoteLayout.information, RemoteLayout.deletedDocuments,
            RemoteName(document.bytes + RemoteLayout.propertyListSuffix.utf8),
        ]
    }

    /// Adds the tombstone of a client.
    func add(_ client: RemoteName, in document: RemoteName, to plan: inout Plan) throws(FileProblem) {
        let path = Self.path(of: client, in: document)
        let source = RemoteLayout.deviceInfo(of: client)
        if try addCopy(of: source, at: path, to: &plan, because: "tells the client that it was removed") {
            return
        }
        let info = DeviceInfo(description: nil, identifier: client.text)
        try addStandIn(
            try info.bytes(path: source.filePath(under: remote.root)), for: source, at: path, to: &plan,
            advice:
                "With --without-device-info the tombstone contains only the identifier, which is all that clients look for"
        )
    }

    /// Adds the tombstone of a document.
    func add(ofDocument document: RemoteName, to plan: inout Plan) throws(FileProblem) {
        let path = Self.path(ofDocument: document)
        let source = RemoteLayout.documentInfo(of: document)
        if try addCopy(
            of: source, at: path, to: &plan, because: "tells clients that the document was deleted")
        {
            return
        }
        let info = DocumentInfo(
            identifier: document.text, description: nil, originalDeviceIdentifier: nil,
            originalDeviceDescription: nil)
        try addStandIn(
            try info.bytes(path: source.filePath(under: remote.root)), for: source, at: path, to: &plan,
            advice:
                "With --without-document-info the tombstone contains only the identifier, which is all that clients look for"
        )
    }

    /// Returns false if there is no file to copy.
    private func addCopy(
        of source: RemotePath, at path: RemotePath, to plan: inout Plan, because reason: String
    ) throws(FileProblem) -> Bool {
        guard let file = remote.tree[source], file.kind == .file else { return false }
        if file.size == 0 {
            plan.note(.warning, "\(source) is empty, and its copy, the tombstone, will be empty, too")
        }
        try plan.addFile(
            path, .copy(of: source, seen: try remote.tree.state(of: source)), modified: file.modified,
            in: remote.tree, because: reason)
        return true
    }

    private func addStandIn(
        _ plain: [UInt8], for source: RemotePath, at path: RemotePath, to plan: inout Plan, advice: String
    ) throws(FileProblem) {
        if remote.tree[path]?.kind == .file {
            return plan.note(.reason, "\(source) is missing; the existing tombstone stays")
        }
        guard standIn else {
            throw remote.refusal(
                source, "missing, so there is nothing to copy as the tombstone", advice: advice)
        }
        let content = try remote.keyring.sealed(plain, path: path.filePath(under: remote.root))
        try plan.addFile(
            path, content, modified: nil, in: remote.tree,
            because: "contains only the identifier: \(source) is missing")
    }
}
