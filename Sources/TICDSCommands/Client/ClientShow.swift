import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct ClientShow: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows everything that is known about a client.",
        discussion: """
            Shows the description of the device, what it has in each document, its last sync, the documents from \
            which it was deleted, and which of its change sets others may not have applied yet. Never asks for a \
            password.

            Examples:
              ticds-client show ~/Dropbox/com.example.app "Anna's iPad"
              ticds-client show ~/Dropbox/com.example.app D28481A5 --json | jq .unapplied
            """)

    @Argument(
        help: .value("remote> <client", "The remote (or TICDS_REMOTE) and the client."),
        completion: LiveCompletion.clients.afterRemote)
    var arguments: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "CLIENT")
        let opened = try OpenRemote(path, password, context)
        let remote = try opened.reported(opened.keyringWithoutAsking())
        let client = KnownClient(try remote.client(named: argument), in: remote)
        try context.print((client, opened.path), KnownClient.schema) {
            ClientView(client: client, colour: context.colour(), style: context.style).show(to: &$0)
        }
        return context.reportUnread(remote.report)
    }
}

/// Everything that the remote shows about one client.
struct KnownClient {
    /// The files of the client in one document, or their remains.
    struct Membership {
        var document: DocumentReport
        /// The client; nil if there is only a tombstone, or nothing was found.
        var client: DocumentClientReport?
        var wholeStore: WholeStoreReport?
        /// The sets that other clients may not have applied.
        var unapplied: Seen<[UnappliedChangeSets]>
        /// The reason why it is unknown whether the document contains anything of the client; nil if something was
        /// found.
        var hidden: FileProblem?
    }

    let remote: ReportedRemote
    let device: DeviceReport
    /// The documents that contain anything of the client, or may contain it.
    let memberships: [Membership]

    init(_ identifier: RemoteName, in remote: ReportedRemote) {
        self.remote = remote
        let report = remote.report
        device =
            report.clients.first { $0.identifier == identifier }
            ?? DeviceReport(identifier, in: report)
        memberships = report.documents.compactMap { document in
            let client = document.clients.first { $0.identifier == identifier }
            guard client != nil || document.deletedClients.part.contains(identifier) else {
                guard let gap = Self.gap(document.identifier, identifier, remote.snapshot) else { return nil }
                return Membership(document: document, unapplied: Seen([], gap), hidden: gap)
            }
            let snapshot = remote.snapshot.document(document.identifier)
            return Membership(
                document: document, client: client,
                wholeStore: document.wholeStores.part.first { $0.client == identifier },
                unapplied: snapshot.map { UnappliedChangeSets.of(identifier, $0, document) } ?? .all([]))
        }
    }

    /// The reason why a document may contain unlisted entries of the client.
    private static func gap(
        _ document: RemoteName, _ client: RemoteName, _ snapshot: RemoteSnapshot
    ) -> FileProblem? {
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        let places = [
            [RemoteLayout.syncChanges, client], [RemoteLayout.recentSyncs, recentSync],
            [RemoteLayout.wholeStore, client], [RemoteLayout.syncCommands, client],
            [RemoteLayout.temporaryFiles, RemoteLayout.wholeStore, client],
            [RemoteLayout.deletedClients, client.appending(suffix: RemoteLayout.propertyListSuffix)],
        ]
        return places.lazy.compactMap {
            snapshot.gap(below: RemotePath(RemoteLayout.document(document).names + $0))
        }.first
    }

    /// The description of a different client, otherwise its identifier.
    func name(of client: RemoteName) -> String {
        remote.report.clients.first { $0.identifier == client }?.description ?? client.text
    }
}

/// A client as text.
struct ClientView {
    let client: KnownClient
    let colour: Colour
    let style: TextStyle

    func show(to text: inout OutputBuffer) {
        let device = client.device
        text.line(colour.paint(device.description ?? device.identifier.description, .bold))
        for (label, value) in facts {
            let padding = String(repeating: " ", count: max(0, 14 - label.count))
            text.line("  \(label)\(padding)\(value)")
        }
        if let info = device.info?.userInfo { text.line("  user info     \(style.line(of: info))") }
        if !client.memberships.isEmpty { text.line() }
        if !table.isEmpty { table.show(to: &text, colour: colour) }
        let sentences = sentences
        if !sentences.isEmpty { text.line() }
        for sentence in sentences { text.line(sentence) }
    }

    private var facts: [(String, String)] {
        let device = client.device
        let sets = Quantities.count(device.changeSets.map(\.count), "change set")
        var facts = [("identifier", device.identifier.description)]
        if device.isRegistered == false {
            facts.append(("registered", "no: ClientDevices does not have it"))
        }
        if device.isRegistered == true, device.isListed == false {
            facts.append(("listed", "no: the framework leaves such an identifier out of its lists"))
        }
        facts.append(("last sync", time(device.lastSync) ?? "unknown"))
        facts.append(
            (
                "whole store",
                time(device.wholeStoreUploaded) ?? (device.wholeStoreUploaded.isWhole ? "none" : "unknown")
            ))
        let isUnknown = device.changeSets.part.count == 0 && !device.changeSets.isWhole
        facts.append(
            (
                "changes",
                isUnknown ? "unknown" : "\(sets), \(style.size(device.changeSets.map(\.bytes)))"
            ))
        return facts
    }

    private func time(_ time: Seen<FileTime?>) -> String? {
        time.part.map { "\(style.minuteWithAge($0))\(time.isWhole ? "" : ", or later")" }
    }

    private var table: TextTable {
        var table = TextTable(
            [
                "DOCUMENT", "DESCRIPTION", "LAST SYNC", "CHANGE SETS", "SIZE", "NEWEST", "STORE",
                "STORE SIZE", "NOTE",
            ],
            [.beginning, .text, .time, .number, .number, .time, .time, .number],
            leavesOut: ["STORE SIZE", "SIZE", "STORE", "NEWEST", "CHANGE SETS", "LAST SYNC"])
        for membership in client.memberships {
            let mine = membership.client
            let sets =
                mine?.changeSets
                ?? Seen(FileTotals(), membership.hidden ?? membership.document.changeSets.problem)
            let isDeleted = membership.document.deletedClients.part.contains(client.device.identifier)
            let note = [
                membership.hidden.map { _ in "unknown" },
                mine?.isMember ?? !membership.document.members.isWhole || membership.hidden != nil
                    ? nil : "not a member",
                isDeleted ? "deleted" : nil,
            ]
            table.add([
                membership.document.identifier.text, membership.document.description ?? "",
                mine?.lastSync.map { style.minuteWithAge($0) } ?? "", Quantities.count(sets.map(\.count)),
                style.size(sets.map(\.bytes)),
                Tables.time(sets.map { _ in mine?.changeSetTimes?.upperBound }, style),
                membership.wholeStore?.modified.map { style.minute($0) } ?? "",
                membership.wholeStore.map { style.size($0.size) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    private var sentences: [String] {
        let more = client.remote.report.unlistedDocuments.map {
            ["There may be more documents: \($0.path.escaped) could not be read."]
        }
        return client.memberships.flatMap(sentences) + (more ?? [])
    }

    private func sentences(_ membership: KnownClient.Membership) -> [String] {
        let document = membership.document.identifier.text
        if let gap = membership.hidden {
            return [
                "\(document): what this client has there is unknown: \(gap.path.escaped) could not be read."
            ]
        }
        var sentences = membership.unapplied.part.map { other in
            let sets = Quantities.count(other.changeSets, "change set")
            let basis = other.asOf.map { "as of \(style.minute($0))" } ?? "what it has applied is unknown"
            return
                "\(document): \(client.name(of: other.client)) may not have applied \(sets) of this client (\(basis))."
        }
        if let gap = membership.unapplied.problem {
            sentences.append(
                "\(document): others may not have applied more change sets of this client: \(gap.path.escaped) could not be read."
            )
        }
        if let lag = membership.client?.lag, lag.notApplied.part > 0 {
            let sets = Quantities.count(lag.notApplied, "change set")
            sentences.append(
                "\(document): this client had not applied \(sets) of others on \(style.minute(lag.asOf))."
            )
        }
        if let files = membership.client?.temporaryFiles, files.part.count > 0 {
            let size = style.size(files.map(\.bytes))
            sentences.append("\(document): its uploads left \(size) in TemporaryFiles.")
        }
        return sentences
    }
}

extension KnownClient {
    static let schema = JSONSchema<(client: KnownClient, root: FilePath)>(
        "ticds.client/1",
        """
        Printed by ticds-client(1) `show`: `clients`, `documentClients` and `stores` as in `ticds.status/1`, each with \
        the data of the one client only.
        """
    ) {
        $0("remote", "The application folder.", { $0.root })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.client.remote.report.applicationIdentifier })
        $0("encrypted", "Whether the remote is encrypted.", { $0.client.remote.report.isEncrypted })
        $0("clients", "", { [$0.client.device] })
        $0(
            "documentClients", "",
            { run in
                run.client.memberships.compactMap { one in
                    one.client.map { DocumentClient($0, of: one.document.identifier) }
                }
            })
        $0(
            "unknownDocuments",
            "Documents of which it is unknown whether they have anything of it; null if not all documents could be listed.",
            { (run) -> [RemoteName]? in
                guard run.client.remote.report.unlistedDocuments == nil else { return nil }
                return run.client.memberships.filter { $0.hidden != nil }.map(\.document.identifier)
            })
        $0(
            "stores", "",
            { run in
                run.client.memberships.compactMap { one in
                    one.wholeStore.map {
                        DocumentStore(
                            $0, of: one.document.identifier, description: run.client.device.description)
                    }
                }
            })
        $0(
            "unapplied",
            "Clients that may not have applied all change sets of this one; null if not all sets or clients could be listed.",
            { run in
                let memberships = run.client.memberships
                guard run.client.remote.report.unlistedDocuments == nil,
                    memberships.allSatisfy(\.unapplied.isWhole)
                else { return nil }
                return memberships.flatMap { one in
                    one.unapplied.part.map { (one.document.identifier, $0) }
                }
            },
            JSONFields<(document: RemoteName, sets: UnappliedChangeSets)> {
                $0("document", "", { $0.document })
                $0("client", "The other client.", { $0.sets.client })
                $0("changeSets", "The maximum number of sets.", { $0.sets.changeSets })
                $0("oldest", "The time of the oldest of them.", { $0.sets.oldest })
                $0(
                    "asOf",
                    """
                    The time of the other client's register or last sync: nothing later is known; null if nothing is \
                    known at all.
                    """, { $0.sets.asOf })
            })
        $0("unread", "As in `ticds.documents/1`.", { $0.client.remote.report.problems })
    }
}
