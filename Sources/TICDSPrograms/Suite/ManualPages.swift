import SystemPackage
import TICDSCommandLine

/// Where manual pages lie, and the programs that show them.
enum ManualPages {
    private static let sections = ["1", "5", "7"]

    /// The page of this name: of the installed suite, else of the source tree that the program was built in.
    static func page(_ name: String) -> FilePath? {
        guard let folder = Programs.ownFolder, !name.contains("/") else { return nil }
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

    /// What `ticds help` knows beside commands: the pages of sections 5 and 7.
    static let topics = [
        "archive-format", "config", "core-data-binary-store", "core-data-sqlite-store",
        "core-data-xml-store", "field-notes", "findings", "json", "protocol", "recipes", "remote-format",
        "security",
    ].filter { page(on: $0) != nil }

    /// The page on a command or a topic; those on Core Data's stores are named without the suite.
    static func page(on topic: String) -> FilePath? {
        page(Dispatcher.prefix + topic) ?? (topic.hasPrefix("core-data-") ? page(topic) : nil)
    }

    /// Turns the process into `man` or `mandoc`; returns when neither is there.
    static func show(_ page: FilePath) {
        if let manual = Programs.find("man") { _ = Programs.exec(manual, ["-l", page.string]) }
        if let mandoc = Programs.find("mandoc") { _ = Programs.exec(mandoc, ["-a", page.string]) }
    }

    /// The build folder lies a few levels below the package.
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
        // try?: as named
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return false
        }
        try? descriptor.close()  // try?: nothing was written
        return true
    }
}
