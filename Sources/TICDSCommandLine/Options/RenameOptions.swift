public import ArgumentParser
public import TICDSCore

/// New identifiers for what comes in.
public struct RenameOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("rename-document"),
        help: ArgumentHelp(
            "Give a document another identifier. May be given several times.", valueName: "old=new"))
    public var documents: [Renaming] = []

    @Option(
        name: .customLong("rename-client"),
        help: ArgumentHelp(
            "Give a client another identifier. May be given several times.", valueName: "old=new"))
    public var clients: [Renaming] = []

    @Option(
        name: .customLong("rename-application"),
        help: ArgumentHelp(
            "The identifier of the app that will use the remote, which becomes the name of the folder.",
            valueName: "name"))
    public var application: String?

    public init() {}

    public func validate() throws {
        for list in [documents, clients] where Set(list.map(\.old)).count < list.count {
            throw ValidationError("The same identifier is renamed twice.")
        }
    }

    public var renames: IdentifierRenames {
        IdentifierRenames(
            documents: Dictionary(documents.map { ($0.old, $0.new) }) { $1 },
            clients: Dictionary(clients.map { ($0.old, $0.new) }) { $1 })
    }

    /// Tells in a plan where things are renamed, and where they are not.
    public func note(_ plan: inout Plan, _ example: String = "") {
        if renames.isEmpty { return }
        plan.note(
            .consequence,
            "Renamed in names of files and folders, in the lists of documents and devices, in tombstones, integrity keys "
                + "and registers; not in whole stores, nor in the app's own data\(example)")
    }
}

/// `OLD=NEW`; at the last sign of equality, since old identifiers are what they are.
public struct Renaming: Sendable, ExpressibleByArgument {
    public let old: RemoteName
    public let new: RemoteName

    public init?(argument: String) {
        guard let sign = argument.lastIndex(of: "=") else { return nil }
        old = RemoteName(String(argument[..<sign]))
        new = RemoteName(String(argument[argument.index(after: sign)...]))
        if old.bytes.isEmpty || new.bytes.isEmpty { return nil }
    }
}
