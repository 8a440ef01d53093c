import Base
import Glibc
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// The places of manual pages, and the programs that show them.
enum ManualPages {
    private static let sections = ["1", "5", "7"]

    /// The page of this name: from the installed ticds, otherwise from the source tree in which the program was built.
    static func page(_ name: String) -> FilePath? {
        guard let folder = ExecutablePath.ownFolder, !name.contains("/") else { return nil }
        let installed = folder.removingLastComponent().appending("share").appending("man")
        for section in sections {
            let file = "\(name).\(section)"
            for name in [file, "\(file).gz"] {
                let page = installed.appending("man\(section)").appending(name)
                if canRead(page) { return page }
            }
            if let page = inSourceTree(above: folder, file) { return page }
        }
        return nil
    }

    /// The topics of `ticds help` beside commands: the pages of sections 5 and 7.
    static let topics = [
        "archive-format", "conditions", "config", "core-data-binary-store", "core-data-sqlite-store",
        "core-data-xml-store", "exports", "field-notes", "findings", "json", "migrate", "protocol", "recipes",
        "recovery",
        "remote-format", "remotes", "replay", "security", "tutorial",
    ]

    /// The page on a command or a topic; pages on Core Data's stores are named without `ticds`.
    static func page(on topic: String) -> FilePath? {
        page(Dispatcher.prefix + topic) ?? (topic.hasPrefix("core-data-") ? page(topic) : nil)
    }

    /// Shows a page and ends the process: on a terminal with man(1) or mandoc(1), otherwise as text that ticds formats
    /// itself, since man(1) succeeds even if its output cannot be written.
    static func show(_ page: FilePath) -> Never {
        if Terminal.isTerminal(.standardOutput) { runManual(page) }
        do throws(FileProblem) {
            show(source: try source(of: page))
        } catch {
            CommandRunner.endForFailure(error)
        }
    }

    /// Continues as man(1) or mandoc(1); returns if neither can show a page.
    private static func runManual(_ page: FilePath) {
        // man(1) alone shows nothing.
        let canFormat = ["groff", "nroff", "mandoc"].contains { ExecutablePath.find($0) != nil }
        if canFormat, let manual = ExecutablePath.find("man") {
            // troff(1) does not terminate with lines of less than about 35 characters.
            let width = Environment["MANWIDTH"].flatMap { Int($0) } ?? Terminal.width ?? 80
            setenv("MANWIDTH", "\(max(60, width))", 1)
            // Options that are broken at a hyphen cannot be copied. Other programs than man-db's ignore the variable.
            let options = Environment["MANOPT"].map { $0 + " " } ?? ""
            setenv("MANOPT", options + "--no-hyphenation", 1)
            _ = ExecutablePath.exec(manual, ["-l", page.string])
        }
        if let mandoc = ExecutablePath.find("mandoc") {
            _ = ExecutablePath.exec(mandoc, ["-a", page.string])
        }
    }

    /// The source of a page, in mdoc(7).
    static func source(of page: FilePath) throws(FileProblem) -> String {
        String(decoding: try ManualPageFile.content(of: page), as: UTF8.self)
    }

    /// Shows a page, or a part of one, as text that the suite makes itself, and ends the process.
    static func show(source: String) -> Never {
        do throws(FileProblem) {
            let manual = ManualText(
                source, width: Terminal.width ?? 80, colour: .automatic(for: .standardOutput),
                showsUnicode: Terminal.showsUnicode)
            var text = OutputBuffer.paged()
            for line in manual.lines { text.line(line) }
            try text.flush()
            CommandRunner.end()
        } catch {
            CommandRunner.endForFailure(error)
        }
    }

    /// Searches the source tree. The build folder is a few levels below the package.
    private static func inSourceTree(above folder: FilePath, _ file: String) -> FilePath? {
        var level = folder
        for _ in 0..<5 {
            level = level.removingLastComponent()
            let page = level.appending("man").appending(file)
            if canRead(level.appending("Package.swift")), canRead(page) { return page }
        }
        return nil
    }

    private static func canRead(_ path: FilePath) -> Bool {
        // try?: a page that cannot be opened is left to the next place
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return false
        }
        try? descriptor.close()  // try?: nothing was written
        return true
    }
}
