import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSArchive
import TICDSCore
import TICDSStorages

struct ArchiveExport: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a remote, or a part of it, as one archive.",
        discussion: """
            The archive begins with a manifest that has the SHA-256 of every file. The command writes a temporary \
            file, which gets its name when it is complete. Encrypted files stay encrypted, and no password is needed, \
            unless --decrypt is given. With --base, files that an earlier archive has in the same place, with the same \
            bytes, stay there; the new archive needs it from then on. The command first reads it and those on which it \
            rests; if they are damaged or missing, it writes a full archive and ends with 5.

            Examples:
              ticds-archive export ~/Dropbox/com.example.app app.tar.zst
              ticds-archive export ~/Dropbox/com.example.app notebook.zip --document Notebook --decrypt
              ticds-archive export ~/Dropbox/com.example.app tuesday.tar.zst --base monday.tar.zst
              ticds-archive export ~/Dropbox/com.example.app - | ssh host 'cat > app.tar.zst'
            """)

    @Argument(
        help: .value(
            "remote> <file",
            "The application folder of the remote, and the archive to write; - is standard output. Without "
                + "the remote: TICDS_REMOTE."),
        completion: .file())
    var places: [String]

    @Option(
        help: .value("name", "Only this document. May be given several times."),
        completion: LiveCompletion.documents.kind)
    var document: [String] = []

    @OptionGroup var clients: ClientOptions

    @Option(help: .value("what", "Only this part: whole-stores."))
    var only: ArchivePart?

    @OptionGroup var form: ArchiveFormOptions
    @OptionGroup var transfer: TransferOptions

    @Flag(
        help: "Decrypt the files of an encrypted remote before they go into the archive, which is then plain."
    )
    var decrypt = false

    @Option(
        help: .value(
            "earlier",
            "Depend on an earlier archive in the same folder: write only files that neither it nor the archives it "
                + "depends on contain."),
        completion: .archives)
    var base: String?

    @Flag(help: "Replace an archive of that name.")
    var force = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try RemoteOptions.separate(places, named: "FILE")
        if places.last == "-", output.json {
            throw ValidationError("--json and the archive cannot both go to standard output.")
        }
        if places.last == "-", base != nil {
            throw ValidationError(
                "--base needs a file: the new archive lies in the folder of the earlier one.")
        }
    }

    static let schema = JSONSchema<
        (manifest: ArchiveManifest, file: FilePath, form: ArchiveForm, size: Int64)
    >("ticds.archiveExport/1", "Printed by ticds-archive(1) `export`.") {
        $0("archive", "The archive that was written.", { $0.file })
        $0("format", "", { $0.form })
        $0("archiveBytes", "Its size.", { $0.size })
        $0.include(ArchiveManifest.summary, { $0.manifest })
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        transfer.apply()
        let (named, argument) = try RemoteOptions.separate(places, named: "FILE")
        let export = try prepare(named, to: argument, context)
        let file = export.file
        let manifest: ArchiveManifest
        if let file {
            manifest = try ArchiveFile.export(
                export.exporter, to: file, isReplacing: force, listing: export.listing
            ) { (_) throws(FileProblem) in try export.earlier?.checkAgain() }
        } else {
            try refuseTerminal()
            manifest = try export.exporter.write(
                to: .standardOutput, path: FilePath.standardOutput, listing: export.listing)
        }
        export.bar.end()
        for entry in manifest.leftOut {
            context.warn("\(entry.path) is not in the archive: \(entry.problem)")
        }
        try report(manifest, file, export.form, context)
        return manifest.leftOut.isEmpty && export.damage == nil ? .success : .partial
    }

    /// Everything for an export, without the opened remote: its listing is in memory only until the export takes it.
    private struct Export {
        var exporter: ArchiveExporter
        var bar: ArchiveProgress
        /// Nil for standard output.
        var file: FilePath?
        /// Nil to list the remote again.
        var listing: ExportListing?
        var form: ArchiveForm
        var earlier: EarlierArchive?
        var damage: FileProblem?
    }

    private func prepare(
        _ named: RemoteAddress, to argument: String, _ context: CommandContext
    ) throws -> Export {
        let open = try OpenRemote(named, password, context)
        if open.unfinished != nil { context.noteShortAnswer() }
        if decrypt { try open.refuseContradiction() }
        let file = argument == "-" ? nil : try RemoteAddress.file(argument: argument)
        let (earlier, damage) = try earlier(for: file, of: open.snapshot.applicationIdentifier, context)
        var settings = form.settings(try form.form(forFile: file), earlier: earlier)
        settings.scope = try scope(open)
        let bar = ArchiveProgress("archiving", context)
        let exporter = ArchiveExporter(
            open.storage, decryptingWith: decrypt && open.snapshot.isEncrypted ? try open.keyring() : nil,
            settings
        ) { bar.show($0) }
        form.prepareWriting()
        if let file { try refuseInside(open, file) }
        // The listing has aged while the user typed a password.
        return Export(
            exporter: exporter, bar: bar, file: file, listing: decrypt ? nil : ExportListing(open.snapshot),
            form: settings.form,
            earlier: earlier, damage: damage)
    }

    /// The archive on which the new one will depend; nil without `--base`, and after a reported error if the new
    /// archive could not be restored from it.
    private func earlier(
        for file: FilePath?, of application: RemoteName, _ context: CommandContext
    ) throws(FileProblem) -> (EarlierArchive?, damage: FileProblem?) {
        guard let base, let file else { return (nil, nil) }
        let path = Environment.path(argument: base)
        var damage: FileProblem
        do throws(FileProblem) {
            let earlier = try EarlierArchive(path)
            try earlier.check(for: file, of: application)
            let bar = ArchiveProgress("checking", context)
            defer { bar.end() }
            guard let problem = earlier.problem(progress: { bar.show($0, $1) }) else { return (earlier, nil) }
            damage = problem
        } catch {
            // The name or the choice is wrong, not the state of the archive.
            guard error.kind == .damaged || error.kind == .unsupported else { throw error }
            try EarlierArchive.checkNames(file, replacing: path)
            damage = error
        }
        context.report(damage)
        context.warn(
            "a full archive is written, because the new one could not be restored from \(path.escaped)")
        return (nil, damage)
    }

    private func scope(_ open: OpenRemote) throws(FileProblem) -> ArchiveScope {
        var scope = ArchiveScope(isOnlyWholeStores: only == .wholeStores)
        if !document.isEmpty {
            let names = NameResolver(
                noun: "document", option: "--document", remote: open.path, items: open.documents())
            scope.documents = try names.identifiers(document).sorted()
        }
        let known = Set(
            open.snapshot.clientDevices.map(\.identifier)
                + open.snapshot.documents.flatMap { $0.clients.map(\.identifier) })
        scope.clients = try clients.chosen(of: open.named(known.sorted()), in: open.path)?.sorted()
        return scope
    }

    /// Refuses a target inside a remote: a foreign file breaks its clients.
    private func refuseInside(_ open: OpenRemote, _ file: FilePath) throws(FileProblem) {
        guard let folder = try file.parent.resolved(), let root = try open.path.resolved(),
            folder.starts(with: root)
        else { return }
        throw FileProblem(
            .refused, path: file, "the archive would lie inside the remote",
            advice: "Foreign files harm the clients; name a file elsewhere")
    }

    private func refuseTerminal() throws(FileProblem) {
        guard Terminal.isTerminal(.standardOutput) else { return }
        throw FileProblem(
            .refused, path: FilePath.standardOutput, "is a terminal",
            advice: "Send the archive to a file or a program")
    }

    private func report(
        _ manifest: ArchiveManifest, _ file: FilePath?, _ form: ArchiveForm, _ context: CommandContext
    ) throws {
        guard let file else { return }
        let size = try FileStatus.of(file).size
        let totals = manifest.totals
        try context.print((manifest, file, form, size), Self.schema) { text in
            if context.quiet { return }
            let files = Quantities.count(totals.count, "file")
            text.line(
                "\(file.escaped): \(files), \(context.style.size(totals.bytes)), in "
                    + context.style.size(size)
                    + manifest.remainder)
        }
    }
}

extension ArchiveManifest {
    /// The files in earlier archives, for the end of a line: `, and 280 files in 2 earlier archives`.
    var remainder: String {
        if bases.isEmpty { return "" }
        let files = Quantities.count(totals.count - stored.count, "file")
        return ", and \(files) in \(Quantities.count(bases.count, "earlier archive"))"
    }
}

/// The values of `--only`.
enum ArchivePart: String, ExpressibleByArgument, CaseIterable {
    case wholeStores = "whole-stores"
}
