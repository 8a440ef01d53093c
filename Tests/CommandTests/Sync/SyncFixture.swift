import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A demonstration remote, the model of its app, and space for replicas.
struct SyncFixture {
    let demo: DemoRemote
    let model: String
    private let state: [String: String]

    init(_ kind: DemoRemote.Kind = .plain, changeSets: Int = 60) throws {
        demo = try DemoRemote(kind, changeSets: changeSets)
        model = "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"
        state = ["XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC"]
    }

    /// The place of a replica.
    func place(_ name: String) -> String { "\(demo.scratch.path)/\(name)" }

    func run(_ program: String, _ words: [String]) throws -> Program.Result {
        try Program.run(program, words, environment: state)
    }

    /// Makes a replica of the large document.
    func clone(_ name: String, _ options: [String] = ["--yes"]) throws -> Program.Result {
        try run(
            "ticds-sync",
            ["clone", demo.path, place(name), "--document", "cookbook", "--model", model]
                + demo.passwordOptions + options)
    }

    func sync(_ command: String, _ name: String, _ options: [String] = []) throws -> Program.Result {
        let password = ["run", "watch"].contains(command) ? demo.passwordOptions : []
        return try run("ticds-sync", [command, place(name)] + password + options)
    }

    /// Runs a shell line that finds the programs, in the folder of the replicas. The command after the word `signalled`
    /// there can receive signals, and runs for at most a minute.
    func shell(_ line: String) throws -> Program.Result {
        let start = """
            import os, signal, sys
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP: signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            signal.alarm(60)
            os.execvp(sys.argv[1], sys.argv[1:])
            """
        let prelude = "cd '\(demo.scratch.path)'; signalled() { exec python3 -c '\(start)' \"$@\"; }"
        return try Program.shell("\(prelude)\n\(line)", environment: state, seconds: 90)
    }

    func image() throws -> TreeImage { try TreeImage(of: demo.root).withoutIdentity }

    /// Names beside the remote that a clone may have left behind.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: demo.scratch.path.string)
            .filter { $0.contains("ticds-clone") }
    }

    /// Removes the newest change set of the large document; returns its former and its present path.
    func setAside() throws -> (place: String, file: String) {
        let place = try #require(try demo.changeSets.last)
        let file = self.place("aside.syncchg")
        try FileManager.default.moveItem(atPath: place, toPath: file)
        return (place, file)
    }

    /// Whether a replica equals the result of a replay of the remote.
    func expectWhole(_ name: String, _ options: [String] = []) throws {
        let replayed = place("\(name)-replayed.sqlite")
        let words = ["replay", demo.path, "--document", "cookbook", "--to", replayed, "--model", model]
        let made = try run("ticds-store", words + demo.passwordOptions + options)
        #expect([0, 5].contains(made.status), "\(made.errors)")
        let compared = try run(
            "ticds-store", ["compare", "\(place(name))/Document.sqlite", replayed, "--model", model])
        #expect(compared.status == 0, "\(compared.output) \(compared.errors)")
        let checked = try run(
            "ticds-store", ["check", "\(place(name))/Document.sqlite", "--model", model])
        #expect(checked.status == 0, "\(checked.output)")
    }
}

/// A JSON document of a command.
struct SyncJSON {
    let keys: [String: Any]

    init(_ result: Program.Result) throws {
        let any = try JSONSerialization.jsonObject(with: Data(result.bytes))
        keys = try #require(any as? [String: Any])
    }

    func number(_ key: String) -> Int? { (keys[key] as? NSNumber)?.intValue }
    func text(_ key: String) -> String? { keys[key] as? String }
    func object(_ key: String) -> [String: Any]? { keys[key] as? [String: Any] }
}
