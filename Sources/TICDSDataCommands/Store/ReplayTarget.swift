import SystemCalls
import SystemPackage
import TICDSCore

/// The file that a replay writes, in a private folder beside its place until it is complete.
struct ReplayTarget {
    let file: FilePath
    /// The unfinished store.
    let work: FilePath
    /// The register of the sets that the store contains.
    let register: FilePath
    private let name: FilePath
    private let folder: TemporaryFolder
    private let replaces: Bool

    /// - Throws: `.refused` if the file exists and must not be replaced, if an app has it open, and for a path inside
    ///   the remote.
    init(_ file: FilePath, replaces: Bool, remote: FilePath) throws(FileProblem) {
        guard let component = file.lastComponent else {
            throw FileProblem(
                .refused, path: file, "cannot be used as the name of a file", advice: "Give another name")
        }
        if let end = file.extension?.lowercased(), ["csv", "json", "jsonl", "db"].contains(end) {
            throw FileProblem(
                .refused, path: file,
                "a replay writes a Core Data store, not \(end == "db" ? "a database with plain names" : end.uppercased())",
                advice: "Use ticds-store export with --newest, or another name")
        }
        guard let resolved = try file.parent.resolved() else {
            throw FileProblem.noFolder(file.parent)
        }
        if resolved.starts(with: try remote.resolved() ?? remote) {
            throw FileProblem(
                .refused, path: file, "lies inside the remote, where it would harm the clients",
                advice: "Choose a place outside it")
        }
        self.file = resolved.appending(component)
        register = StoreRegister.own(of: self.file)
        guard register.lastComponent?.bytes.count ?? 0 <= FilePath.Component.longest else {
            throw FileProblem(
                .refused, path: file,
                "the name is too long for the register beside it, which has the same name",
                expected:
                    "at most \(FilePath.Component.longest - 1 - RemoteLayout.appliedSyncChangeSets.bytes.count) bytes",
                advice: "Choose a shorter name")
        }
        name = FilePath(root: nil, [component])
        self.replaces = replaces
        try Self.check(self.file, replaces)
        folder = try TemporaryFolder(in: resolved, prefix: ".ticds-replay")
        work = folder.path.appending(component)
        folder.represent(file, as: component)
    }

    private static func check(_ file: FilePath, _ replaces: Bool) throws(FileProblem) {
        let names = [file, StoreExtraction.support(file), StoreRegister.own(of: file)]
        for taken in replaces ? [] : names {
            guard try FileStatus.ifPresent(taken) != nil else { continue }
            throw FileProblem(
                .refused, path: taken, "exists already", advice: "Choose another name, or add --force")
        }
        for suffix in ["-wal", "-journal"] {
            let log = FilePath(pathBytes: file.bytes + Array(suffix.utf8))
            guard try FileStatus.ifPresent(log) != nil else { continue }
            throw FileProblem(
                .refused, path: log, "belongs to another store with this name, perhaps one in use",
                advice: "Choose another name")
        }
    }

    /// Writes the register beside the unfinished store.
    /// - Parameters:
    ///   - lines: the lines in the register of the starting store.
    ///   - applied: the sets that were applied to it.
    func writeRegister(_ lines: [RegisteredChangeSet], _ applied: [RegisteredChangeSet]) throws(FileProblem) {
        let now = FileTime.now.secondsSince2001
        let new = applied.map { set in
            var set = set
            set.localDateOfApplication = now
            return set
        }
        try ChangeSetRegisterWriter.write(lines + new, to: StoreRegister.own(of: work))
    }

    /// Gives the finished store its name, and its register and external data theirs.
    /// - Parameter mode: the permissions of the whole store; nil without one. The new files are not more readable.
    func publish(readableAs mode: UInt32?) throws(FileProblem) {
        // The copy of a whole store is private at first. The register beside it has the mode that the umask grants.
        try NewFile.copyMode(of: StoreRegister.own(of: work), to: work)
        if let mode {
            let support = StoreExtraction.support(work)
            for path in [work, StoreRegister.own(of: work)]
                + (try FileStatus.ifPresent(support) == nil ? [] : [support])
            {
                try NewFile.restrict(path, to: mode)
            }
        }
        let parent = try OwnedDescriptor.folder(file.removingLastComponent())
        let own = try OwnedDescriptor.folder(folder.path)
        try own.file(name).sync()
        let support = FilePath(StoreExtraction.support(file).lastComponent?.string ?? "")
        if replaces, try parent.exists(support) {
            try parent.move(support, to: own, as: "former-external-data")
        }
        if try own.exists(support) {
            let data = try own.folder(support).folder("_EXTERNAL_DATA")
            try data.sync()
            try own.move(support, to: parent, as: support)
        }
        let registerName = FilePath(nameBytes: register.lastComponent?.bytes ?? [])
        try own.file(registerName).sync()
        // The store comes last, so that its companions are already there when it appears.
        for name in [registerName, name] {
            if replaces {
                try own.replaceKeepingMode(name, in: parent, by: name)
            } else {
                try own.move(name, to: parent, as: name)
            }
        }
        try parent.sync()
    }
}
