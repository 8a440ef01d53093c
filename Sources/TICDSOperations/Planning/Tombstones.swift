import SystemCalls
import SystemPackage
package import TICDSCore

/// Plans the tombstones of removed clients and deleted documents: byte copies of their property lists, encrypted or
/// unencrypted, with the times of these files (ticds-remote-format(5), 1.4).
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
        try add(
            Self.path(of: client, in: document), copyOf: RemoteLayout.deviceInfo(of: client), to: &plan,
            because: "tells the client that it was removed", option: "--without-device-info"
        ) { (path) throws(FileProblem) in
            try DeviceInfo(description: nil, identifier: client.text).bytes(path: path)
        }
    }

    /// Adds the tombstone of a document.
    func add(ofDocument document: RemoteName, to plan: inout Plan) throws(FileProblem) {
        try add(
            Self.path(ofDocument: document), copyOf: RemoteLayout.documentInfo(of: document), to: &plan,
            because: "tells clients that the document was deleted", option: "--without-document-info"
        ) { (path) throws(FileProblem) in
            let info = DocumentInfo(
                identifier: document.text, description: nil, originalDeviceIdentifier: nil,
                originalDeviceDescription: nil)
            return try info.bytes(path: path)
        }
    }

    /// - Parameters:
    ///   - option: the option that allows the stand-in.
    ///   - standInFor: makes the stand-in; takes the path of `source`, for errors.
    private func add(
        _ path: RemotePath, copyOf source: RemotePath, to plan: inout Plan, because reason: String,
        option: String, _ standInFor: (FilePath) throws(FileProblem) -> [UInt8]
    ) throws(FileProblem) {
        if let file = remote[source], file.kind == .file {
            if file.size == 0 {
                plan.warn("\(source) is empty, and its copy, the tombstone, will be empty, too")
            }
            let content = PlannedContent.copy(of: source, seen: try remote.tree.state(of: source))
            return try plan.addFile(
                path, content, modified: file.modified, in: remote.tree, because: reason)
        }
        let plain = try standInFor(source.filePath(under: remote.root))
        let cause = remote.snapshot.gap(at: source) == nil ? "missing" : "not on this machine"
        if remote[path]?.kind == .file {
            return plan.explain("\(source) is \(cause); the existing tombstone stays")
        }
        guard standIn else {
            throw remote.refusal(
                source, "\(cause), so there is nothing to copy as the tombstone",
                advice:
                    "With \(option) the tombstone contains only the identifier, which is all that clients look for"
            )
        }
        let sealed = try remote.keyring.sealed(plain, path: path.filePath(under: remote.root))
        try plan.addFile(
            path, .bytes(PlannedBytes(sealed)), modified: nil, in: remote.tree,
            because: "contains only the identifier: \(source) is \(cause)")
    }
}
