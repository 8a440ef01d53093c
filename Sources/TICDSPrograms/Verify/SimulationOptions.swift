import ArgumentParser
import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// The variants of the framework, by their names on the command line.
enum VariantArgument: String, ExpressibleByArgument, CaseIterable {
    case filemanager, dropbox, icloud

    var variant: Variant {
        switch self {
        case .filemanager: .fileManager
        case .dropbox: .dropbox
        case .icloud: .iCloud
        }
    }
}

/// Whose next synchronisation to play.
struct SimulationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Do not check, but simulate the next synchronisation of this client.", valueName: "name"
        ),
        completion: LiveCompletion.clients.kind)
    var asClient: String?

    @Flag(help: "Like --as-client, for a new client that registers with the document.")
    var asNewClient = false

    @Option(help: "The kind of client that --as-client and --as-new-client simulate.")
    var variant = VariantArgument.filemanager

    @Option(
        help: ArgumentHelp(
            "The managed object model of the application that --as-client and --as-new-client simulate: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file.",
            valueName: "model"),
        completion: .file())
    var model: String?

    func validate() throws {
        if model != nil, !isWanted {
            throw ValidationError("--model needs --as-client or --as-new-client.")
        }
        if asClient != nil, asNewClient {
            throw ValidationError("--as-client and --as-new-client contradict each other.")
        }
    }

    var isWanted: Bool { asClient != nil || asNewClient }

    /// The model of the application, where one is given.
    var givenModel: ManagedObjectModel? {
        get throws(FileProblem) {
            guard let model else { return nil }
            return try ModelFile.load(Environment.path(argument: model))
        }
    }

    /// The client that is meant; nil for a new one.
    func client(of open: OpenRemote) throws(FileProblem) -> RemoteName? {
        guard let asClient else { return nil }
        var identifiers = open.snapshot.clientDevices.map(\.identifier)
        for document in open.snapshot.documents {
            let others = document.clients.map(\.identifier) + document.deletedClients.map(\.identifier)
            for other in others where !identifiers.contains(other) { identifiers.append(other) }
        }
        let names = NameResolver(
            noun: "client", option: "--as-client", remote: open.path, items: identifiers.map(open.named))
        return RemoteName(try names.item(asClient).identifier)
    }
}
