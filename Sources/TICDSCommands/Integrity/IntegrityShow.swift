import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct IntegrityShow: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists the entries in the key folder of each document.",
        discussion: """
            The name of the file is the key. MADE BY is the client that created the document, according to the file.

            Examples:
              ticds-integrity show ~/Dropbox/com.example.app
              ticds-integrity show ~/Dropbox/com.example.app --document Notebook --json
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let keys = try KeyFolders(options, context)
        try context.print(keys, KeyFolders.schema) {
            table(keys, context.style).show(to: &$0, colour: context.colour())
        }
        return keys.reportUnread(context)
    }

    private func table(_ keys: KeyFolders, _ style: TextStyle) -> TextTable {
        var table = TextTable(
            ["DOCUMENT", "KEY", "MADE", "MADE BY", "NOTE"], [.beginning, .beginning, .time],
            leavesOut: ["MADE BY", "MADE"])
        for (folder, _) in keys.folders {
            for entry in folder.entries { table.add(row(entry, of: folder.document, keys.names, style)) }
            if !folder.isListed || folder.entries.isEmpty {
                let note = folder.isListed ? "no key" : "could not be listed"
                table.add([folder.document.description, "", "", "", note])
            }
        }
        return table
    }

    private func row(
        _ entry: IntegrityKeyEntry, of document: RemoteName, _ names: ClientNames, _ style: TextStyle
    ) -> [String] {
        let maker = entry.content?.originalDevice.map { device in
            names.description(of: RemoteName(device)) ?? device
        }
        return [
            document.description, entry.name.description, style.minuteWithAge(entry.modified), maker ?? "",
            note(on: entry),
        ]
    }

    private func note(on entry: IntegrityKeyEntry) -> String {
        if let stray = entry.stray {
            return stray.rawValue + (entry.canBeTaken ? ", can be taken for the key" : "")
        }
        if !entry.canBeTaken { return "too short: clients do not see it" }
        switch entry.content {
        case nil, .device: return ""
        case .empty: return "empty"
        case .other: return "other content"
        case .unreadable: return "cannot be read"
        }
    }
}
