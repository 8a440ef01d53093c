import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// A demonstration remote, plans on it, and a state home beside it.
struct JournaledDemo {
    let demo: DemoRemote

    init(changeSets: Int = 12) throws { demo = try DemoRemote(changeSets: changeSets) }

    var root: FilePath { (try? demo.root.resolved()) ?? demo.root }
    var stateHome: FilePath { demo.scratch.path.appending("state") }
    var environment: [String: String] { ["XDG_STATE_HOME": stateHome.string] }
    var image: TreeImage { get throws { try TreeImage(of: root).withoutIdentity } }

    /// Moves this many change sets of the large document to the trash, oldest first, and makes a folder with a file.
    func plan(_ count: Int = 3, summary: String = "Remove what nobody needs") throws -> Plan {
        let tree = try RemoteSnapshot.take(LocalStorage(root: root)).tree
        var plan = Plan(root: root, command: "ticds-test", summary: summary)
        plan.note(.reason, "Every client has applied them")
        plan.note(.consequence, "A client that comes back loads the whole store")
        plan.note(.warning, "Børge’s iPad lags behind")
        for path in try demo.changeSets.prefix(count) {
            let names = FilePath(path).components.dropFirst(demo.root.components.count)
            let place = RemotePath(names.map { RemoteName($0.string) })
            plan.add(.moveToTrash(path: place, seen: try tree.state(of: place)), because: "applied by all")
        }
        plan.add(.makeFolder(path: ["Documents", "cookbook", "Extra"]))
        let bytes = PlannedContent.bytes(PlannedBytes(Array("hello".utf8)))
        plan.add(
            .writeFile(path: ["Documents", "cookbook", "Extra", "file"], content: bytes, modified: nil))
        return plan
    }

    /// A plan that removes the whole remote.
    func removal() throws -> Plan {
        let tree = try RemoteSnapshot.take(LocalStorage(root: root)).tree
        var plan = Plan(root: root, command: "ticds-test", summary: "Remove the remote")
        plan.add(.moveToTrash(path: .root, seen: try tree.state(of: .root)))
        return plan
    }

    /// One JSON document of each kind that `ticds-journal` prints, and a saved plan with every kind of change.
    static func printedDocuments() throws -> [String] {
        let remote = try JournaledDemo()
        let applied = try remote.apply(try remote.plan(), ["--yes", "--json"])
        let saved = remote.demo.scratch.path.appending("saved.json").string
        let shown = try remote.apply(try remote.everyChange(), ["--save-plan", saved, "--json"])
        let others = try [
            ["list"], ["show", remote.root.string, "1"], ["recover", "--dry-run"],
            ["prune", "--larger-than", "0", "--dry-run"],
        ].map { try remote.journal($0 + ["--json"]).output }
        return [applied.output, shown.output, try String(contentsOfFile: saved, encoding: .utf8)] + others
    }

    private func everyChange() throws -> Plan {
        var plan = try plan(1)
        guard case .moveToTrash(let path, let seen)? = plan.actions.first?.kind else { return plan }
        let slot = TrashPlace(operation: 1, action: 0)
        let folder: RemotePath = ["Documents", "cookbook", "SyncChanges"]
        let tree = try RemoteSnapshot.take(LocalStorage(root: root)).tree
        plan.add(.moveToTrash(path: folder, seen: try tree.state(of: folder)))
        plan.add(.restore(path: ["one"], slot: slot, seen: seen))
        plan.add(.setTime(path: path, modified: seen.modified ?? FileTime(seconds: 0), seen: seen))
        plan.add(.writeFile(path: [RemoteName([0xFF])], content: .copy(of: path, seen: seen), modified: nil))
        plan.add(
            .replaceFile(
                path: path, content: .trashed(slot: slot, seen: seen), modified: seen.modified, seen: seen))
        plan.add(
            .writeTree(
                path: ["two"],
                entries: [TreeEntry(path: ["three"], content: .bytes(PlannedBytes([1])), modified: nil)]))
        let time = FileTime(seconds: 0)
        plan.conditions = [
            .same(path: ["four"], seen: nil), .same(path: folder, seen: try tree.state(of: folder)),
            .notOlder(path: folder, entries: [.init(name: RemoteName([0xFF]), modified: time)]),
        ]
        return plan
    }

    /// The path of a file with the plan.
    func save(_ plan: Plan, _ name: String = "plan.json") throws -> String {
        try demo.scratch.write(name, try PlanFile.bytes(of: plan))
    }

    func apply(_ plan: Plan, _ options: [String] = ["--yes"]) throws -> Program.Result {
        try journal(["apply", try save(plan)] + options)
    }

    func journal(_ words: [String]) throws -> Program.Result {
        try Program.run("ticds-journal", words, environment: environment)
    }

    /// Runs `ticds-journal` on a separate terminal and answers its question; returns the output on the terminal.
    /// - Parameter file: the file for standard output instead of the terminal.
    func journalOnTerminal(_ words: [String], answer: String, file: String = "") throws -> Program.Result {
        let script = """
            import os, pty, signal, sys
            answer, file, program = sys.argv[1].encode().decode('unicode_escape').encode(), sys.argv[2], sys.argv[3]
            child, terminal = pty.fork()
            if child == 0:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                if file: os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), 1)
                os.execv(program, sys.argv[3:])
            text = b''
            while not text.endswith(b'[y/N] '):
                text += os.read(terminal, 1000)
            os.write(terminal, answer)
            try:
                while True:
                    piece = os.read(terminal, 1000)
                    if not piece: break
                    text += piece
            except OSError: pass
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            sys.stdout.write(text.decode().replace('\\r\\n', '\\n'))
            sys.stdout.flush()
            os._exit(status if status >= 0 else 100 - status)
            """
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        return try Program.launch(
            "/usr/bin/env",
            ["python3", "-c", script, answer, file, Program.path("ticds-journal")] + words,
            environment: environment.merging(path) { $1 }, seconds: 60)
    }
}
