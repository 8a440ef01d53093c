import Foundation
import SystemPackage

/// The demonstration remote, and data made from it, for the snapshots of all commands.
struct Scenes {
    /// A shell line; `ticds` and the other programs are found.
    typealias Line = String

    private let scratch: Scratch

    init() throws {
        // Line breaks depend on the length of the path.
        scratch = try Scratch(in: "/tmp")
        let state = "export XDG_STATE_HOME=\"$PWD/state\" TZ=UTC"
        try scratch.shell(([state] + Self.preparation).joined(separator: "\n"))
    }

    private static let preparation: [Line] = [
        "echo 'open sesame' >password; echo other >new-password; mkdir other snapshots",
        "ticds demo demo --change-sets 12",
        "ticds demo damaged --change-sets 12 --damage",
        "ticds demo changed --change-sets 12",
        "ticds demo sealed --change-sets 12 --encrypt --password-file password",
        "ticds-archive export demo archive.tar.gz --quiet",
        "ticds-store replay demo --document pantry --model demo/Cookbook.xcdatamodel --to pantry.sqlite",
        "cp -R demo/Cookbook.xcdatamodel renamed.xcdatamodel",
        "sed -i 's/name=\"title\"/name=\"heading\" elementID=\"title\"/; s/\"Integer 16\"/\"Date\"/' renamed.xcdatamodel/contents",
        "ticds-vacuum demo --save-plan plan.json --max-delete 100%",
        "ticds-document delete changed pantry --yes",
        "ticds-client delete changed 'Børge’s iPad' --all-documents --yes",
    ]

    /// Every reading command, and every other one with `--dry-run`.
    static let lines: [Line] = [
        "ticds-inspect status demo", "ticds-inspect status damaged --iso --bytes",
        "ticds-inspect documents demo",
        "ticds-inspect clients demo", "ticds-inspect stores demo", "ticds-inspect tree demo",
        "ticds-changes list demo --counts", "ticds-changes dump demo --document pantry",
        "ticds-changes dump damaged --client 'Anna’s iPhone'", "ticds-changes search demo pie",
        "ticds-changes log demo 7E0FC685", "ticds-changes stats demo",
        "ticds-changes diff 'Anna’s iPhone' 'Anna’s MacBook Pro' --remote demo --document pantry",
        "ticds-verify demo", "ticds-verify damaged --level deep", "ticds-verify damaged --repair --dry-run",
        "ticds-verify demo --as-new-client --document pantry", "ticds-verify explain",
        "ticds-verify explain 0201",
        "ticds-verify file demo/com.example.cookbook/ClientDevices/*/deviceInfo.plist",
        "ticds-store list demo", "ticds-store check demo", "ticds-store dump pantry.sqlite --entity Recipe",
        "ticds-store compare --model demo/Cookbook.xcdatamodel pantry.sqlite demo/com.example.cookbook/Documents/pantry/WholeStore/8*/WholeStore.ticdsync",
        "ticds-store migrate demo --document pantry --client 8FFDB291 --model demo/Cookbook.xcdatamodel --to pantry.xml --force",
        "ticds-model show demo/Cookbook.xcdatamodel",
        "ticds-model diff demo/Cookbook.xcdatamodel renamed.xcdatamodel",
        "ticds-model find pantry.sqlite renamed.xcdatamodel demo/Cookbook.xcdatamodel --all",
        "ticds-model diagram demo/Cookbook.xcdatamodel --format dot",
        "ticds-integrity show demo", "ticds-integrity check demo",
        "ticds-integrity reset demo --document pantry --key 7FA1-42B0-9C --dry-run",
        "ticds-client show demo 'Børge’s iPad'",
        "ticds-client delete demo 'Børge’s iPad' --all-documents --dry-run",
        "ticds-client restore changed 'Børge’s iPad' --dry-run",
        "ticds-document create demo Notes --description Notes --client 'Anna’s iPhone' --dry-run",
        "ticds-document delete demo pantry --dry-run", "ticds-document restore changed pantry --dry-run",
        "ticds-vacuum demo --dry-run",
        "ticds-vacuum demo --leftovers --ignore-client 'Børge’s iPad' --dry-run",
        "ticds-remote create new --client 7FA1-42B0 --description Me --dry-run",
        "ticds-remote remove demo --dry-run",
        "ticds-remote check-password sealed --password-file password --all",
        "ticds-remote encrypt demo --password-file password --dry-run",
        "ticds-remote decrypt sealed --password-file password --dry-run",
        "ticds-remote change-password sealed --password-file password --new-password-file new-password --dry-run",
        "ticds-remote copy demo other/com.example.cookbook --dry-run",
        "ticds-remote snapshot demo snapshots --dry-run",
        "ticds-remote snapshot demo snapshots --dry-run --tag before-update",
        "ticds-remote snapshot demo snapshots --tag 'before the update'",
        "ticds-archive list archive.tar.gz", "ticds-archive verify archive.tar.gz",
        "ticds-archive find archive.tar.gz --type wholeStore", "ticds-archive diff archive.tar.gz demo",
        "ticds-archive extract archive.tar.gz demo --document pantry",
        "ticds-archive import archive.tar.gz demo --dry-run",
        "ticds-archive import archive.tar.gz other/com.example.cookbook --dry-run",
        "ticds-journal list --iso", "ticds-journal show changed 1 --iso",
        "ticds-journal undo changed 1 --dry-run",
        "ticds-journal apply plan.json --dry-run --max-delete 100%",
        "ticds-journal recover changed --dry-run",
        "ticds-journal prune --larger-than 0 --dry-run --iso",
        "ticds-sync clone demo replica --document pantry --model demo/Cookbook.xcdatamodel --dry-run --client 7FA1-42B0 --description Me",
        "ticds demo demo", "ticds-inspect status nowhere", "ticds bogus", "ticds-inspect bogus",
    ]

    /// The output of the lines on terminals of this width, each below its line.
    func screens(columns: Int) throws -> [String] {
        let variables = [
            "PATH": "\(Program.folder.path):/usr/bin:/bin", "LC_ALL": "C", "TERM": "dumb", "TZ": "UTC",
            "XDG_STATE_HOME": "\(scratch.path)/state",
        ]
        let runs = Self.lines.map { line in
            var run = TerminalScreen.Run(shell: "cd '\(scratch.path)'; \(line)", variables)
            run.columns = columns
            return run
        }
        return zip(Self.lines, try TerminalScreen.all(runs)).map { line, screen in
            "$ \(line)\n\(plain(screen.text))\(screen.status == 0 ? "" : "[\(screen.status)]\n")"
        }
    }

    /// The text without the parts that differ between times and places; their replacements have the same length in
    /// tables.
    private func plain(_ text: String) -> String {
        text.replacingOccurrences(of: scratch.path.string, with: "/place")
            .replacing(/\d\d years ago/, with: "NN years ago")
            .replacing(/in \d+\.\d s\b/, with: "in N s")
            .replacing(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d/, with: "YYYY-MM-DDThh:mm:ss")
            .replacing(/20[2-9]\d-\d\d-\d\d \d\d:\d\d/, with: "YYYY-MM-DD hh:mm")
            .replacing(
                /com\.example\.cookbook-(?:[0-9a-f]{16}|[0-9a-f]{12})/, with: "com.example.cookbook-DIGEST"
            )
            .replacing(/-20\d{6}T\d{6}Z([.+])/) { "-TIME\($0.1)" }
            .replacing(/(?m)^By: .*(?:\n  .*)*$/, with: "By: USER on HOST, process NUMBER")
    }
}
