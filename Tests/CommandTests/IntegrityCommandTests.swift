import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-integrity` as users and scripts run it.
@Suite struct IntegrityCommandTests {
    private let demo: DemoRemote
    private let key: String
    private let folder: String

    init() throws {
        demo = try DemoRemote()
        folder = demo.path + "/Documents/pantry/IntegrityKey"
        key = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.run(
            "ticds-integrity", words, environment: ["XDG_STATE_HOME": demo.scratch.path.string, "TZ": "UTC"])
    }

    private var keys: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    @Test func showsAndChecks() throws {
        let shown = try run(["show", demo.path])
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.contains(key) && shown.output.contains("Anna’s MacBook Pro"))
        let sound = try run(["check", demo.path])
        #expect(sound.status == 0 && sound.output.isEmpty && sound.errors.isEmpty)
        try demo.scratch.shell("touch '\(folder)/.DS_Store'")
        let strayed = try run(["check", demo.path])
        #expect(strayed.status == 1)
        #expect(strayed.output.contains("pantry/IntegrityKey/.DS_Store: clients can take"))
        #expect(try run(["check", demo.path, "--document", "cookbook"]).status == 0)
        let json = try run(["check", demo.path, "--json"])
        #expect(json.status == 1)
        #expect(PythonCheck.isDocument(json.bytes, "ticds.integrity/1"))
        #expect(try run(["show", demo.path, "--json"]).bytes == json.bytes)
        #expect(try run(["show", demo.path]).output.contains("systemFile, can be taken for the key"))
    }

    @Test func resets() throws {
        try demo.scratch.shell("touch '\(folder)/.DS_Store'")
        let before = try TreeImage(of: demo.root)
        let words = ["reset", demo.path, "--document", "pantry"]
        let dry = try run(words + ["--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        for text in ["will lose its unsent edits", "Anna’s iPhone", "Børge’s iPad", key] {
            #expect(dry.output.contains(text), "\(text)")
        }
        #expect(try run(words).status == 3)
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
        let kept = try run(words + ["--key", key, "--yes"])
        #expect(kept.status == 0, "\(kept.errors)")
        #expect(try keys == [key])
        #expect(try run(words + ["--key", key]).output.contains("Nothing to do"))
        let reset = try run(words + ["--yes"])
        #expect(reset.status == 0, "\(reset.errors)")
        #expect(try keys.count == 1)
        #expect(try keys != [key])
        #expect(try run(["check", demo.path]).status == 0)
        #expect(try Program.run("ticds-verify", [demo.path]).status == 0)
    }

    /// The beginning of a key, or the key in different case, would be a new key, which makes all clients start again.
    /// The refusal to undo a reset names the later reset: whether it made a new key, or kept the first one.
    @Test(arguments: [true, false]) func undoNamesLaterReset(keepsFirst: Bool) throws {
        let words = ["reset", demo.path, "--document", "pantry", "--yes"]
        #expect(try run(words).status == 0)
        #expect(try run(words + (keepsFirst ? ["--key", key] : [])).status == 0)
        let before = try keys
        func undo(_ number: String) throws -> Program.Result {
            try Program.run(
                "ticds-journal", ["undo", demo.path, number, "--yes"],
                environment: ["XDG_STATE_HOME": demo.scratch.path.string, "TZ": "UTC"])
        }
        let refused = try undo("1")
        #expect(
            refused.status == 3 && refused.errors.contains("was followed by operation 2 ("),
            "\(refused.errors)")
        #expect(refused.errors.contains("First undo operation 2"), "\(refused.errors)")
        #expect(try keys == before)
        #expect(try undo("2").status == 0)
        #expect(try undo("1").status == 0)
        #expect(try keys == [key])
    }

    @Test func refusesTheBeginningOfAKey() throws {
        let before = try TreeImage(of: demo.root)
        for part in [String(key.prefix(8)), key.lowercased(), String(key.dropLast())] {
            let result = try run(["reset", demo.path, "--document", "pantry", "--key", part, "--yes"])
            #expect(result.status == 3, "\(part)")
            #expect(result.errors.contains("but one that begins with it: \(key)"), "\(result.errors)")
        }
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    @Test func refusesKeysThatNobodySees() throws {
        let result = try run(["reset", demo.path, "--document", "pantry", "--key", ".key", "--yes"])
        #expect(result.status == 3)
        #expect(result.errors.contains("begins with a full stop"))
        #expect(try run(["reset", demo.path, "--yes"]).status == 2)
    }
}

extension PythonCheck {
    /// Whether the bytes are one document of that schema.
    static func isDocument(_ bytes: [UInt8], _ schema: String) -> Bool {
        let document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return document?["schema"] as? String == schema
    }
}
