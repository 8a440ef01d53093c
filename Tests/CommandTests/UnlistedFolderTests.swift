import Foundation
import SystemPackage
import TestSupport
import Testing

/// Remotes with a folder that cannot be listed, or with a file that a sync service has not delivered: no result
/// contains a number that is smaller than the truth, or claims that an entry does not exist.
@Suite(.enabled(if: VanishingFileTests.nobodyCanRun)) struct UnlistedFolderTests {
    /// Commands that print one JSON document, or text without `--json`.
    private static let commands = [
        ["ticds-inspect", "status"], ["ticds-inspect", "documents"], ["ticds-inspect", "clients"],
        ["ticds-inspect", "stores"], ["ticds-inspect", "timeline"], ["ticds-store", "list"],
        ["ticds-changes", "stats"], ["ticds-integrity", "show"], ["ticds-inspect", "metrics"],
        ["ticds-vacuum", "--dry-run", "--leftovers", "--keep-within", "0s"],
        ["ticds-client", "show", "Børge’s iPad"], ["ticds-verify", "--level=names"],
    ]

    @Test(arguments: commands) func unlistedFoldersMakeNoNumberSmaller(command: [String]) throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("chmod 755 . demo; chmod -R a+rX demo")
        let whole = try Answer(command, demo)
        try #require(whole.json.status == 0, "\(whole.json.errors)")
        for folder in try folders(of: demo) {
            try demo.scratch.shell("chmod 000 '\(folder)'")
            defer { _ = try? demo.scratch.shell("chmod 755 '\(folder)'") }
            let part = try Answer(command, demo)
            #expect(part.problems(whole) == [], "\(command): \(folder)")
        }
    }

    /// A file that could not be read may have the wanted finding.
    @Test func wantedFindingsAreUnknownWhereFilesAreUnread() throws {
        let demo = try DemoRemote()
        let set = try demo.changeSets[0]
        try demo.scratch.shell("chmod 755 . demo; chmod -R a+rX demo; chmod 000 '\(set)'")
        for (options, status) in [
            ("--only 0603", 5), ("--only 0603 --quiet", 5), ("--only 0603 --ignore 0717", 0),
            ("--only 0717", 1),
            ("--only 0603 --repair --dry-run", 5),
        ] {
            let result = try VanishingFileTests.asNobody("./ticds-verify '\(demo.path)' \(options)")
            #expect(result.status == status, "\(options): \(result.output)\(result.errors)")
        }
    }

    @Test func storeInfoDoesNotCountUnlistedSets() throws {
        let demo = try DemoRemote()
        let folder = "\(demo.path)/Documents/cookbook/SyncChanges"
        try demo.scratch.shell("chmod 755 . demo; chmod -R a+rX demo; chmod 000 '\(folder)'")
        defer { _ = try? demo.scratch.shell("chmod 755 '\(folder)'") }
        let result = try VanishingFileTests.asNobody(
            "./ticds-store info '\(demo.path)' --document cookbook --client 'Anna’s MacBook Pro'")
        let text = result.output.replacing(#/\s+/#, with: " ")
        #expect(text.contains("it is unknown how many change sets of the document"), "\(result)")
        #expect(text.contains("\(folder): no permission"), "\(result)")
    }

    /// Each file by itself is replaced by the placeholder that iCloud leaves.
    @Test(arguments: commands) func undeliveredFilesMakeNoNumberSmaller(command: [String]) throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("chmod 755 . demo; chmod -R a+rX demo")
        let whole = try Answer(command, demo)
        for file in try files(of: demo) {
            let path = FilePath(file)
            let name = try #require(path.lastComponent?.string)
            let placeholder = path.removingLastComponent().appending(".\(name).icloud")
            try demo.scratch.shell("mv '\(file)' kept; echo bplist00 > '\(placeholder)'")
            defer { _ = try? demo.scratch.shell("rm '\(placeholder)'; mv kept '\(file)'") }
            let part = try Answer(command, demo)
            #expect(part.problems(whole, mayBeComplete: true) == [], "\(command): \(file)")
        }
    }

    /// The folders of one document, of the clients and above, except those whose names alone count.
    private func folders(of demo: DemoRemote) throws -> [String] {
        let found = try demo.scratch.shell("find '\(demo.path)' -mindepth 1 -type d | sort")
        return found.split(separator: "\n").map(String.init).filter {
            !$0.contains("/pantry/") && !$0.contains("/Encryption")
        }
    }

    /// One file of each kind of one document, and of a client.
    private func files(of demo: DemoRemote) throws -> [String] {
        let found = try demo.scratch.shell("find '\(demo.path)' -type f | sort")
        let files = found.split(separator: "\n").map(String.init).filter { !$0.contains("/pantry/") }
        let kinds = Dictionary(grouping: files) { file in
            file.contains("/SyncChanges/")
                ? "set"
                : file.contains("/RecentSyncs/") ? "sync" : String(file.split(separator: "/").last ?? "")
        }
        return kinds.values.compactMap(\.last).sorted()
    }
}

/// The output of a command, as text and as JSON.
private struct Answer {
    let json: Program.Result
    private let text: Program.Result

    init(_ command: [String], _ demo: DemoRemote) throws {
        let words = command.prefix(2).filter { !$0.hasPrefix("--") }
        let rest = command.dropFirst(words.count)
        let line = (words + ["'\(demo.path)'"] + rest.map { "'\($0)'" }).joined(separator: " ")
        json = try VanishingFileTests.asNobody("./\(line) --json")
        text = try VanishingFileTests.asNobody("./\(line)")
    }

    /// The values that are less than in the result for the whole remote without a mark.
    /// - Parameter mayBeComplete: whether only a name may be missing.
    func problems(_ whole: Answer, mayBeComplete: Bool = false) -> [String] {
        var problems: [String] = []
        if json.output == whole.json.output, text.output == whole.text.output { return [] }
        if json.status == 0, !mayBeComplete { problems.append("status 0") }
        let document = try? JSONSerialization.jsonObject(with: Data(json.bytes))
        let fields = document as? [String: Any] ?? [:]
        // The document itself states that its numbers are incomplete.
        if fields["complete"] as? Bool != false {
            let all = Leaves((try? JSONSerialization.jsonObject(with: Data(whole.json.bytes))) ?? [:])
            for (path, value) in Leaves(fields).values {
                guard let truth = all.values[path], value.isLess(than: truth) else { continue }
                problems.append("\(path) is \(value), not \(truth)")
            }
        }
        let known = Set(whole.text.output.split(separator: "\n"))
        for line in text.output.split(separator: "\n") where !known.contains(line) {
            let line = String(line)
            if line.contains(
                #/^(No|There is no|There are no|Nothing) |\bmissing\b|instead of one|not registered|nothing wrong$/#
            ) {
                problems.append(line)
            }
        }
        return problems
    }
}

/// The numbers and times of a JSON document by their places.
private struct Leaves {
    enum Value: CustomStringConvertible {
        case number(Double)
        case time(String)

        var description: String {
            switch self {
            case .number(let number): "\(number)"
            case .time(let time): time
            }
        }

        func isLess(than other: Value) -> Bool {
            switch (self, other) {
            case (.number(let one), .number(let other)): one < other
            case (.time(let one), .time(let other)): one < other
            default: false
            }
        }
    }

    private(set) var values: [String: Value] = [:]

    /// The keys that distinguish the members of an array.
    private static let keys = ["identifier", "document", "client", "name", "path", "kind", "labels"]
    /// The beginning and end of a picture, the content of its columns, and the oldest set that a client lacks.
    private static let passedOver: Set<String> = [
        "scale", "columns", "oldest", "unread", "marks", "obstacles",
    ]

    init(_ document: Any) { add(document, at: "") }

    private mutating func add(_ value: Any, at path: String) {
        switch value {
        case let object as [String: Any]:
            for (key, member) in object where !Self.passedOver.contains(key) {
                add(member, at: path + "/" + key)
            }
        case let array as [Any]:
            for member in array {
                let fields = member as? [String: Any] ?? [:]
                let name = Self.keys.compactMap { fields[$0].map { "\($0)" } }.joined(separator: ",")
                add(member, at: path + "/" + name)
            }
        case let number as NSNumber:
            // JSONSerialization also gives numbers for booleans.
            if ["c", "B"].contains(String(cString: number.objCType)) { return }
            values[path] = .number(number.doubleValue)
        case let text as String where text.contains(#/^\d{4}-\d\d-\d\dT/#): values[path] = .time(text)
        default: break
        }
    }
}
