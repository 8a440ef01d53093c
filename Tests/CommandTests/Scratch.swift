import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A private folder of one test.
struct Scratch {
    let folder: TemporaryFolder
    var path: FilePath { folder.path }

    /// - Parameter parent: the folder of temporary files by default.
    init(in parent: FilePath? = nil) throws {
        folder = try TemporaryFolder(in: parent, prefix: "ticds-commands")
    }

    /// Writes a file; returns its path.
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path.appending(name)
        try TestFiles.write(file, bytes)
        return file.string
    }

    /// Runs a shell line in the folder, which must succeed.
    @discardableResult
    func shell(_ line: String, seconds: Double = 240) throws -> String {
        let result = try Program.shell("set -e; cd '\(path)'; \(line)", seconds: seconds)
        try #require(result.status == 0, "\(line): \(result.errors)")
        return result.output
    }

    /// An executable shell script. Another process writes it: a process that a different test starts at the same time
    /// would keep a file of this process open, and the system runs no program that is open for writing (ETXTBSY).
    func script(_ name: String, _ line: String) throws {
        let quoted = line.replacing("'", with: "'\\''")
        try shell("printf '%s\\n' '#!/bin/sh' '\(quoted)' > '\(name)'; chmod 755 '\(name)'")
    }

    /// A file with a password; returns its path.
    func password(_ text: String) throws -> String { try write("password", Array(text.utf8)) }
}

/// A remote made by `ticds demo`, in a private folder.
struct DemoRemote {
    enum Kind: String, CaseIterable {
        case plain, encrypted, damaged
    }

    static let password = "open sesame"

    let scratch: Scratch
    let root: FilePath
    /// The options that open it.
    let passwordOptions: [String]

    init(_ kind: Kind = .plain, changeSets: Int = 8) throws {
        scratch = try Scratch()
        let file = try scratch.password(Self.password)
        passwordOptions = kind == .encrypted ? ["--password-file", file] : []
        let folder = scratch.path.appending("demo")
        let pattern = try Self.pattern(kind, changeSets).string
        let copied = try Program.launch(
            "/bin/cp", ["-a", pattern, folder.string], environment: [:], seconds: 60)
        try #require(copied.status == 0, "\(copied.errors)")
        root = folder.appending("com.example.cookbook")
    }

    /// A copy of the output of `ticds demo`, which is always the same and made once.
    private static func pattern(_ kind: Kind, _ changeSets: Int) throws -> FilePath {
        try patterns.withLock { known in
            let name = "\(kind)-\(changeSets)"
            if let path = known[name] { return path }
            let folder = try patternFolder.get().path
            let path = folder.appending(name)
            let secret = folder.appending("password")
            try TestFiles.write(secret, Array(password.utf8))
            let options =
                switch kind {
                case .plain: [String]()
                case .damaged: ["--damage"]
                case .encrypted: ["--encrypt", "--password-file", secret.string]
                }
            let result = try Program.run(
                "ticds", ["demo", path.string, "--change-sets", "\(changeSets)"] + options)
            try #require(result.status == 0, "\(result.errors)")
            known[name] = path
            return path
        }
    }

    private static let patterns = Mutex<[String: FilePath]>([:])
    /// The folder of the patterns, which is removed with the process of the tests.
    private static let patternFolder: Result<TemporaryFolder, any Error> = Result {
        atexit { _ = try? FileManager.default.removeItem(atPath: DemoRemote.patternFolder.get().path.string) }
        return try TemporaryFolder(prefix: "ticds-demo")
    }

    var path: String { root.string }

    /// The change sets of the large document, oldest first.
    var changeSets: [String] {
        get throws {
            try RemoteFiles.named(".syncchg", below: root.appending("Documents").appending("cookbook"))
        }
    }

    var wholeStores: [String] {
        get throws {
            try RemoteFiles.named("/WholeStore.ticdsync", below: root.appending("Documents")).filter {
                !$0.contains("TemporaryFiles")
            }
        }
    }
}

/// Searches for files below a folder.
enum RemoteFiles {
    /// Paths of files that end with `suffix`, sorted by their own names.
    static func named(_ suffix: String, below folder: FilePath) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.string)?.compactMap { $0 as? String } ?? []
        return paths.filter { ("/" + $0).hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted { one, other in
            let names = [one, other].map { URL(filePath: $0).lastPathComponent }
            return (names[0], one) < (names[1], other)
        }
    }
}

/// Checks of the commands' output by Python.
enum PythonCheck {
    /// Reads JSON more strictly than Python's default: UTF-8, no repeated key, no NaN, no control characters.
    private static let strict = """
        import base64, json, os, re, sys
        def unique(pairs):
            assert len({k for k, _ in pairs}) == len(pairs), pairs
            return dict(pairs)
        def refuse(name): raise ValueError(name)
        def strict(text):
            assert not re.search('[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e]', text), text
            return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
        def document(path):
            text = open(path, 'rb').read().decode('utf-8')
            assert text.startswith('{') and text.endswith('}\\n'), text[:80]
            return strict(text)
        def lines(path):
            text = open(path, 'rb').read().decode('utf-8')
            assert text == '' or text.endswith('\\n')
            return [strict(line) for line in text.split('\\n')[:-1]]
        TIME = re.compile(r'\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.(\\d{3}|\\d{6}|\\d{9})Z')

        """

    /// Runs a script on outputs, which are the files `sys.argv[1:]`, before other arguments. Returns its complaint;
    /// empty if it ends well.
    static func complaint(
        _ script: String, on outputs: [[UInt8]], _ arguments: [String] = [], seconds: Double = 60
    ) throws -> String {
        let scratch = try Scratch()
        let files = try outputs.enumerated().map { try scratch.write("output\($0)", $1) }
        let program = try scratch.write("script.py", Array((strict + script).utf8))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try Program.launch(
            "/usr/bin/env", ["python3", program] + files + arguments, environment: ["PATH": path],
            seconds: seconds)
        return result.status == 0 ? "" : "status \(result.status): \(result.errors)\(result.output)"
    }
}
