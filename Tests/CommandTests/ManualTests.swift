import Foundation
import TestSupport
import Testing

/// The manual describes the programs exactly: every subcommand, option and schema, and no others.
@Suite struct ManualTests {
    static let programs = [
        "ticds", "ticds-inspect", "ticds-changes", "ticds-verify", "ticds-client", "ticds-document",
        "ticds-integrity", "ticds-vacuum", "ticds-remote", "ticds-store", "ticds-journal", "ticds-archive",
        "ticds-sync", "ticds-model", "ticds-fleet",
    ]
    private static let outputOptions: Set = [
        "-json", "-quiet", "q", "-verbose", "v", "-color", "-utc", "-iso", "-bytes", "-no-pager", "-progress",
        "-no-progress", "-log-file", "-log-format", "-version", "-help", "h",
    ]

    @Test(arguments: programs)
    func describesEverySubcommand(program: String) throws {
        let page = try ManualPage("\(program).1")
        let dump = try HelpDump.of(program)
        var commands = dump.usableCommands.map(\.commandName)
        #expect(page.usages.flatMap(\.commands).sorted() == commands.sorted())
        if !dump.hasSubcommands { commands = [] }
        if program == "ticds" {
            commands += Self.programs.dropFirst().map { String($0.dropFirst("ticds-".count)) }
        }
        #expect(page.describedCommands.sorted() == commands.sorted())
    }

    @Test(arguments: programs)
    func synopsisHasTheOptionsOfEachSubcommand(program: String) throws {
        let page = try ManualPage("\(program).1")
        for command in try HelpDump.of(program).usableCommands {
            let usage = try #require(page.usages.first { $0.commands.contains(command.commandName) })
            let options = Set(command.options.flatMap(\.manualNames))
            let name = command.commandName
            #expect(usage.options == options.subtracting(Self.outputOptions), "\(name)")
            #expect(usage.hasOutputOptions == options.contains("-json"), "\(name)")
        }
    }

    @Test(arguments: programs)
    func explainsEveryOption(program: String) throws {
        let entries = try ManualPage("\(program).1").options
        let options = try HelpDump.of(program).usableCommands.flatMap(\.options)
        #expect(Set(entries.flatMap(\.names)) == Set(options.flatMap(\.manualNames)))
        for option in options {
            let entry = try #require(entries.first { Set($0.names) == Set(option.manualNames) })
            for value in option.allValues ?? [] {
                #expect(entry.text.contains(try Regex("\\b\(value)\\b")), "\(value)")
            }
            if let value = option.defaultValue {
                let words = try Regex("Default:\\s(\\.Cm )?\(value)\\b")
                #expect(entry.text.contains(words), "\(option.manualNames)")
            }
        }
    }

    @Test(arguments: programs)
    func parenthesesNameTheSubcommandsOfAnOption(program: String) throws {
        let page = try ManualPage("\(program).1")
        for option in page.options where page.options.count(where: { $0.names == option.names }) == 1 {
            guard let listed = option.subcommands else { continue }
            let takers = page.usages.filter { !$0.options.isDisjoint(with: option.names) }.flatMap(\.commands)
            #expect(listed == Set(takers), "\(option.names)")
        }
    }

    /// `make manual` renews the lists.
    @Test(.enabled(if: Python.available)) func optionListsAreAsThePrograms() throws {
        let join = ManualPage.package.appending(path: "man/join").path
        let result = try Program.launch(
            "/usr/bin/env", ["python3", join, "--check", Program.folder.path],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], seconds: 60
        )
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)\(result.errors)")
    }

    /// `make manual` adds a new subcommand without a description, and `make schemas` a section.
    @Test(.enabled(if: Python.available)) func subcommandsAndSchemasAreAdded() throws {
        let scratch = try Scratch()
        let package = ManualPage.package.path
        let pages = try scratch.shell(
            """
            mkdir share && cp -R '\(package)/man' . && cp -R '\(package)/share/schemas' share
            sed -i -e '/^.Cm documents/s/ | stores//' -e '/^.It Cm stores/,/^.It Cm timeline/{/timeline/!d}' man/ticds-inspect.1
            sed -i '/^.Ss ticds.stores.1/,/^.Ss ticds.tree/{/tree/!d}' man/ticds-json.5
            python3 man/join '\(Program.folder.path)' && python3 man/join --check '\(Program.folder.path)'
            python3 man/schemas && python3 man/schemas --check
            cat man/ticds-inspect.1 man/ticds-json.5
            """)
        let added = [
            ".Cm documents | clients | stores\n", ".It Cm stores\nLists the whole stores that",
            ".Ss ticds.stores/1\nPrinted by\n",
        ]
        for text in added { #expect(pages.contains(text), "\(text)") }
    }

    @Test(arguments: programs)
    func hasAllSections(program: String) throws {
        let titles = try ManualPage("\(program).1").sections
        let wanted = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "OUTPUT", "ENVIRONMENT", "FILES", "EXIT STATUS",
            "EXAMPLES", "DIAGNOSTICS", "SAFETY", "SEE ALSO",
        ]
        #expect(Set(wanted).subtracting(titles) == [])
    }

    @Test func describesEverySchema() throws {
        let sources = ManualPage.package.appending(path: "Sources")
        let manager = FileManager.default
        let files = try #require(manager.enumerator(at: sources, includingPropertiesForKeys: nil))
        var schemas: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            schemas.formUnion(text.matches(of: /"(ticds\.[A-Za-z]+\/[0-9]+)"/).map { String($0.1) })
        }
        #expect(schemas.count > 10)
        let described = try ManualPage("ticds-json.5").subsections.keys.filter { $0.hasPrefix("ticds.") }
        #expect(described.sorted() == schemas.sorted())
    }

    @Test func namesEveryKeyThatIsPrinted() throws {
        let sections = try ManualPage("ticds-json.5").subsections
        var seen: Set<String> = []
        for text in try PrintedDocuments.all {
            let any = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let document = try #require(any as? [String: Any], "\(text.prefix(200))")
            let schema = try #require(document["schema"] as? String)
            let keys = Self.keys(of: document)
            #expect(keys.subtracting(Self.names(of: schema, sections)) == [], "\(schema)")
            seen.insert(schema)
        }
        let all = sections.keys.filter { $0.hasPrefix("ticds.") }
        #expect(seen.union(["ticds.object/1"]).sorted() == all.sorted())
    }

    /// The keys of a document, without keys of data that are not the schema's.
    private static func keys(of value: Any) -> Set<String> {
        let data: Set = [
            "attributes", "value", "userInfo", "byEntity", "byType", "byClient", "byDay", "first", "second",
            "timestamp", "objectsByEntity", "relationships", "entities", "localValue", "remoteValue",
            "payload", "reasons", "labels",
        ]
        if let members = value as? [Any] { return members.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.reduce(into: []) { found, entry in
            found.insert(entry.key)
            if !data.contains(entry.key) { found.formUnion(keys(of: entry.value)) }
        }
    }

    /// The keys in the section of a schema and in the sections to which it refers.
    static func names(of schema: String, _ sections: [String: [String]]) -> Set<String> {
        var open = [schema]
        var names: Set<String> = []
        var done: Set<String> = []
        while let title = open.popLast() {
            guard done.insert(title).inserted else { continue }
            let marked = (sections[title] ?? []).filter { $0.hasPrefix(".Li ") || $0.hasPrefix(".It Li ") }
            let words = marked.flatMap { $0.split(whereSeparator: { " ,;".contains($0) }).map(String.init) }
            names.formUnion(words)
            open += words.filter { sections[$0] != nil }
        }
        return names
    }
}
