/// A sync change and where it stands.
public struct ChangeRecord: Sendable, Hashable {
    /// Identifier of the document; nil for a file outside a remote.
    public var document: String?
    /// Identifier of the client that wrote the set; nil for a file outside a remote.
    public var client: String?
    /// Identifier of the change set: the file's name without its last extension.
    public var changeSet: String
    /// Position in the order of application within its set, from 1.
    public var sequence: Int
    /// The change itself.
    public var change: SyncChange

    /// A change at its place; `sequence` counts from 1 in the order of application.
    public init(document: String?, client: String?, changeSet: String, sequence: Int, change: SyncChange) {
        self.document = document
        self.client = client
        self.changeSet = changeSet
        self.sequence = sequence
        self.change = change
    }
}
