import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

struct ArchiveExtract: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Takes files or documents out of an archive, into a new folder.",
        discussion: """
            The folder gets its name when everything in it is complete and checked, and replaces nothing. A document \
            comes with the descriptions of the clients and with the salt, so that the other commands can read it. To \
            restore a whole remote, or files in it, use import. From a damaged archive it takes what lies before the damage; for files behind \
            it, verify prints the command that takes out what can be read.

            Examples:
              ticds-archive extract app.tar.zst rescued --document Notebook
              ticds-archive extract app.tar.zst rescued --path Documents/Notebook/WholeStore
              ticds-archive extract app.tar.zst --path ClientDevices/Anna/deviceInfo.plist --to - | less
            """)

    @OptionGroup var source: ArchiveArgument

    @Argument(
        help: .value("folder", "The new folder; - is standard output, for one file."), completion: .directory)
    var folder: String?

    @Option(
        help: .value(
            "folder", "The new folder, in place of an argument; - writes one file to standard output."),
        completion: .directory)
    var to: String?

    @Option(
        help: .value(
            "name",
            "A document: its identifier or description, or a unique part of them. May be given "
                + "several times."))
    var document: [String] = []

    @Option(
        help: .value(
            "path",
            "A file or folder, by its path below the remote, as find shows it. May be given several times."))
    var path: [String] = []

    @Option(help: .value("bytes", "Refuse archives that contain more bytes than this. Default: 1 TiB."))
    var maxSize: Int64?

    @Option(
        help: .value(
            "number", "Refuse archives that unpack to more than this many times their size. Default: 200."))
    var maxRatio: Int64?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if document.isEmpty, path.isEmpty {
            throw ValidationError("Name what to take out, with --document or --path.")
        }
        if (maxSize ?? 1) < 1 || (maxRatio ?? 1) < 1 {
            throw ValidationError("--max-size and --max-ratio take numbers from 1.")
        }
        guard let target = folder ?? to, folder == nil || to == nil else {
            throw ValidationError("Name the new folder, as an argument or with --to.")
        }
        guard target == OutputTarget.standardOutput else { return }
        if path.count != 1 || !document.isEmpty {
            throw ValidationError("Standard output takes one file: name it with --path.")
        }
        if output.json {
            throw ValidationError("--json prints the result on standard output: name a folder instead of -.")
        }
    }

    private var archive: String { source.archive }

    static let schema = JSONSchema<(archive: FilePath, folder: FilePath, result: ArchiveExtraction)>(
        "ticds.archiveExtract/1", "Printed by ticds-archive(1) `extract`."
    ) {
        $0("archive", "The archive.", { $0.archive })
        $0("folder", "The new folder.", { $0.folder })
        $0(
            "manifest", "Whether the archive has a manifest, so that the bytes were checked.",
            { $0.result.manifest != nil })
        $0("files", "Files that were taken out.", { $0.result.files })
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let origin = try source.origin
        let name = folder ?? to ?? ""
        if name == OutputTarget.standardOutput { return try writeFile(of: origin, context) }
        let target = try OutputTarget.path(name)
        if try !AtomicOutput.isFree(target) {
            throw FileProblem(
                .refused, path: target, "something with that name already exists",
                advice: try advice(on: target))
        }
        let named = try documents(in: origin)
        if let problem = named.problem { context.report(short: problem) }
        let parts = try named.part.map(RemoteLayout.document) + path.map(ArchiveArgument.remotePath)
        if parts.isEmpty { return .partial }
        let companions: [RemotePath] =
            document.isEmpty
            ? [] : [[RemoteLayout.clientDevices], [RemoteLayout.encryption], [RemoteLayout.readMe]]
        let bar = ArchiveProgress("unpacking", context)
        let result: ArchiveExtraction
        do throws(FileProblem) {
            result = try ArchiveExtraction(
                of: origin, parts: parts, companions: companions, to: target, limits: limits
            ) { bar.show($0, $1) }
        } catch {
            guard case .standardInput = origin, !document.isEmpty, error.kind == .missing,
                error.path == origin.path
            else { throw error }
            var problem = error
            problem.advice =
                "Name the document by its identifier, or the archive as a file: in an archive on standard input, "
                + "descriptions are unknown"
            throw problem
        }
        bar.end()
        if let absence = result.absence {
            context.report(absence)
            return .partial
        }
        if result.manifest == nil {
            context.warn(
                "no manifest: another program made the archive, and nothing shows whether its bytes are right"
            )
        }
        if result.changedTimes.count > 0 {
            context.warn(
                "the volume cannot keep the times of \(Quantities.count(result.changedTimes.count, "file")): "
                    + result.changedTimes.first)
        }
        try context.print((origin.path, target, result), Self.schema) { text in
            if context.quiet { return }
            let files = Quantities.count(result.files.count, "file")
            text.line("\(target): \(files), \(context.style.size(result.files.bytes))")
        }
        let lacking = context.warnOfEntries(leftOutOf: result.manifest, of: origin.path) { path in
            (parts + companions).contains {
                path.names.starts(with: $0.names) || $0.names.starts(with: path.names)
            }
        }
        if let damage = result.damage { context.report(damage) }
        return lacking != nil || result.damage != nil || result.changedTimes.areWrong ? .partial : .success
    }

    private var limits: UnpackLimits {
        var limits = UnpackLimits()
        if let maxSize { limits.total = maxSize }
        if let maxRatio { limits.ratio = maxRatio }
        return limits
    }

    /// Writes one file to standard output, when it is unpacked and checked.
    private func writeFile(of origin: ArchiveOrigin, _ context: CommandContext) throws -> ExitStatus {
        let part = try ArchiveArgument.remotePath(path[0])
        let place = try TemporaryFolder()
        let result = try ArchiveExtraction(
            of: origin, parts: [part], to: place.path.appending("files"), limits: limits)
        if let absence = result.absence {
            context.report(absence)
            return .partial
        }
        guard let file = try result.file(part, in: place.path.appending("files")) else {
            throw FileProblem(
                .refused, path: origin.path, "\(part) is a folder, and standard output takes one file",
                advice: "Name a file in it, or a new folder for everything in it")
        }
        if result.manifest == nil {
            context.warn(
                "no manifest: another program made the archive, and nothing shows whether its bytes are right"
            )
        }
        try Self.print(file)
        return .success
    }

    private static func print(_ path: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(path)
        let size = Int(try file.status().size)
        var output = OutputBuffer(.standardOutput)
        for offset in stride(from: 0, to: size, by: pieceSize) {
            let piece = try file.bytes(in: offset..<min(offset +| pieceSize, size))
            piece.withUnsafeBytes { output.append($0) }
            try output.flush()
        }
    }

    private static let pieceSize = 1 << 20

    /// Advice on a folder that exists; if it is a remote, with the command that puts files back.
    private func advice(on target: FilePath) throws(FileProblem) -> String {
        let found = try unlessInvalid { () throws(FileProblem) in try RemoteLocation.find(target) }
        guard let remote = found else { return "Choose another name" }
        let source = archive == "-" ? archive : ShellWord.quoted(FilePath(archive))
        let command = "ticds-archive import \(source) \(ShellWord.quoted(remote)) --on-existing skip"
        return "Choose another name. To put back what the remote lacks: \(command); with replace in place of "
            + "skip also what differs"
    }

    /// The documents that the options name, and why others of them may have been left out of the archive.
    private func documents(in origin: ArchiveOrigin) throws(FileProblem) -> Seen<[RemoteName]> {
        // Standard input is read once, so documents are matched by identifier only.
        if document.isEmpty { return .all([]) }
        if case .standardInput = origin { return .all(document.map { RemoteName($0) }) }
        let (contents, found, _) = try ArchiveNames(origin).contents(documents: document, clients: [])
        let names = Set(contents.entries.lazy.compactMap(\.path.document))
        guard let found, found.count == Set(document).count else {
            if let hidden = contents.manifest?.leftOut.first(where: { Self.mayHideDocument($0.path) }) {
                return .some((found ?? []).sorted(), hidden.problem(in: origin.path))
            }
            throw FileProblem(
                .unknownName, path: origin.path, "there is no such document in the archive",
                expected: names.isEmpty ? nil : names.sorted().map(\.description).listed(10),
                found: document.joined(separator: ", "),
                advice: contents.isEncrypted
                    ? "The descriptions in this archive are encrypted: name the document by its identifier"
                    : "Name a document by its identifier or description")
        }
        return .all(found.sorted())
    }

    /// Whether an entry that was left out at a path may hide a document or its description.
    private static func mayHideDocument(_ path: RemotePath) -> Bool {
        RemotePath([RemoteLayout.documents]).names.starts(with: path.names)
            || path.names.count == 2 && path.names[0] == RemoteLayout.documents
            || FileRole(of: path, kind: .file) == .documentInfo
    }
}
