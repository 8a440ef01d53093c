public import SystemCalls
public import SystemPackage

/// Why the content of a file is not on this machine. Here, and nowhere else, is decided that it is not.
///
/// A sync service that keeps a file elsewhere leaves one of these in its folder:
///
/// 1. A file of another name that stands for it: `.NAME.icloud` of iCloud, `NAME.nextcloud` of Nextcloud,
///    `NAME.owncloud` and `NAME.BRAND_virtual` of ownCloud; and, since others may follow, one byte under the name of a
///    file of the framework's and one more extension.
/// 2. One byte under the file's own name: no format of the framework has so few.
/// 3. The file in its full size with nothing but zeros, as Linux sees what iCloud (since 2023), OneDrive, Dropbox and
///    Google Drive call *online-only*. Such files have no blocks, but other files may have none either; so blocks are
///    only the hint on which the beginning of a file is read, and its bytes decide.
/// 4. No byte at all. A full disk and a copy that broke off leave the same, and nobody can tell from here which it was.
///
/// A file that a power failure filled with zeros looks like the third. What commands that change a remote do about
/// either is the same: nothing, until a person has looked.
public enum AbsentContent: String, Sendable, Hashable, CaseIterable {
    /// A file of another name stands for it.
    case placeholder
    /// It is still being fetched.
    case partialDownload
    /// No byte.
    case empty
    /// One byte.
    case oneByte
    /// Nothing but zeros.
    case zeros

    /// What lies there instead, as it is said of a file: "it is a placeholder".
    public var text: String {
        switch self {
        case .placeholder: "a placeholder of a sync service"
        case .partialDownload: "a download that is not finished"
        case .empty: "an empty file"
        case .oneByte: "a file of one byte"
        case .zeros: "a file of nothing but zeros"
        }
    }

    // MARK: By names

    /// The name of the file that an entry stands for: `a.plist` for `.a.plist.icloud`; nil for other entries.
    public static func original(of entry: FolderEntry) -> RemoteName? {
        switch entry.kind {
        case .file: original(of: entry.name, size: entry.size)
        case .folder: withoutICloud(entry.name)
        case .symbolicLink, .special: nil
        }
    }

    /// The same of a file of that name and of so many bytes.
    public static func original(of name: RemoteName, size: Int64) -> RemoteName? {
        if let original = withoutICloud(name) { return original }
        guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
        let stem = name.bytes[..<dot]
        let suffix = lowercased(name.bytes[dot...])
        if suffixes.contains(suffix)
            || (suffix.count > brand.count + 1 && suffix.suffix(brand.count) == brand)
        {
            return RemoteName(stem)
        }
        let isOfFramework = frameworkSuffixes.contains {
            stem.count > $0.count && stem.suffix($0.count).elementsEqual($0)
        }
        guard size == 1, isOfFramework, !StrayRules.isTransient(name.text.lowercased()) else { return nil }
        return RemoteName(stem)
    }

    private static func withoutICloud(_ name: RemoteName) -> RemoteName? {
        let count = name.bytes.count - iCloud.count
        guard name.isHidden, count > 1, lowercased(name.bytes[count...]) == iCloud else { return nil }
        return RemoteName(name.bytes[1..<count])
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }

    private static let iCloud = Array(".icloud".utf8)
    private static let suffixes = [".nextcloud", ".owncloud"].map { Array($0.utf8) }
    private static let brand = ArraySlice("_virtual".utf8)
    private static let frameworkSuffixes = [
        RemoteLayout.changeSetSuffix, RemoteLayout.commandSetSuffix, RemoteLayout.recentSyncSuffix,
        RemoteLayout.propertyListSuffix, ".ticdsync",
    ].map { Array($0.utf8) }

    // MARK: By sizes and bytes

    /// What an entry in a place of the framework's is, where its content is not here; nil for all others.
    package static func stray(_ entry: FolderEntry, in folder: RemotePath) -> Stray.Kind? {
        guard entry.kind == .file else { return nil }
        let path = folder.appending(entry.name)
        let role = FileRole(of: path, kind: .file)
        if role == .temporaryFile { return nil }
        if original(of: entry) != nil { return .cloudPlaceholder }
        if entry.size == 0 { return .emptyFile }
        return entry.holdsOnlyZeros || (entry.size == 1 && hasForm(role, path)) ? .notDownloaded : nil
    }

    /// Whether files of a role have a form, none of which fits into one byte. `ReadMe.txt` and the parts of a store that
    /// is a folder may hold anything.
    private static func hasForm(_ role: FileRole, _ path: RemotePath) -> Bool {
        switch role {
        case .deviceInfo, .documentInfo, .salt, .encryptionTest, .integrityKey, .changeSet, .commandSet,
            .recentSync, .tombstone, .register:
            true
        case .wholeStore: path.last == RemoteLayout.wholeStoreFile
        case .folder, .readMe, .sharedExternalData, .temporaryFile, .symbolicLink, .special, .unknown: false
        }
    }

    /// Whether clients read the content of such files. Integrity keys, recent syncs and tombstones count by their names
    /// and times alone.
    public static func isRead(_ role: FileRole) -> Bool {
        switch role {
        case .deviceInfo, .documentInfo, .salt, .encryptionTest, .changeSet, .commandSet, .wholeStore,
            .register, .sharedExternalData:
            true
        case .folder, .readMe, .integrityKey, .recentSync, .tombstone, .temporaryFile, .symbolicLink,
            .special, .unknown:
            false
        }
    }

    /// Why the bytes of a whole file are not its content; nil where they may be, and for no bytes, of which every reader
    /// tells in its own words.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> AbsentContent? {
        switch bytes.count {
        case 0: nil
        case 1: .oneByte
        default: bytes.holdsOnlyZeros ? .zeros : nil
        }
    }

    /// The same of an open file, of which no more is read than decides.
    public static func of(_ file: any ReadableFile) throws(FileProblem) -> AbsentContent? {
        let size = try file.statusAtOpening().size
        if size < 2 { return size == 1 ? .oneByte : nil }
        let holdsOnlyZeros = try ZeroBytes.fill(size) { (buffer, offset) throws(FileProblem) in
            try file.read(into: buffer, at: offset)
        }
        return holdsOnlyZeros ? .zeros : nil
    }

    /// Whether an entry of an open folder is a file without blocks that holds nothing but zeros.
    /// - Throws: where it cannot be read, so that nobody knows. One that is gone holds nothing, not zeros.
    static func holdsOnlyZeros(
        _ name: UnsafeRawBufferPointer, _ status: FileStatus, in folder: borrowing OwnedDescriptor
    ) throws(FileProblem) -> Bool {
        guard status.blocks.isNone, status.kind == .file, status.size > 1 else { return false }
        return try unlessMissing { () throws(FileProblem) in
            try of(LocalFile(try folder.file(FilePath(nameBytes: name))))
        } == .zeros
    }

    /// The problem of whoever wanted to read the file.
    public func problem(_ path: FilePath) -> FileProblem {
        FileProblem(
            .missing, path: path, "its content is not on this machine", found: text,
            advice:
                "Let the sync service download it, then try again; if the service has lost it, restore it from a back-up"
        )
    }
}

extension Stray.Kind {
    /// Whether the entry stands for another one: a placeholder, or a part of a download.
    public var standsForAnother: Bool { self == .cloudPlaceholder || self == .partialDownload }
}

extension Stray {
    /// Why the content of the file is not here; nil where it is, and where nobody reads it.
    public var absence: AbsentContent? {
        kind.standsForAnother || AbsentContent.isRead(FileRole(of: path, kind: fileKind))
            ? absentContent : nil
    }

    /// The same, also of a file that nobody reads.
    var absentContent: AbsentContent? {
        switch kind {
        case .cloudPlaceholder: .placeholder
        case .partialDownload: .partialDownload
        case .emptyFile: .empty
        case .notDownloaded: size == 1 ? .oneByte : .zeros
        case .conflictedCopy, .temporaryFile, .systemFile, .symbolicLink, .specialFile, .wrongKind,
            .nameTwin, .unknown:
            nil
        }
    }

    /// The name of the file that the entry stands for, or its own.
    public var originalName: RemoteName? {
        path.last.map { AbsentContent.original(of: $0, size: size) ?? $0 }
    }
}

extension RemoteSnapshot {
    /// Files that clients read, and whose content is not on this machine, by path.
    public var absentFiles: [Stray] { strays.filter { $0.absence != nil } }

    /// One problem for all files below some folders whose content is not here; nil where all is.
    public func absence(below folders: [RemotePath] = [.root]) -> FileProblem? {
        problem(
            ofAbsent: absentFiles.filter { stray in
                folders.contains { stray.path.names.starts(with: $0.names) }
            })
    }

    /// What a reader of some folders has to tell: what could not be listed, and the files whose content is not here.
    public func problems(of folders: [RemotePath] = [.root]) -> [FileProblem] {
        problems + [absence(below: folders)].compactMap(\.self)
    }

    private static let shownFiles = 5

    /// One problem for all of these files; nil for none.
    func problem(ofAbsent absent: [Stray]) -> FileProblem? {
        guard let first = absent.first, let absence = first.absence else { return nil }
        guard absent.count > 1 else { return absence.problem(first.path.filePath(under: root)) }
        var found = absent.prefix(Self.shownFiles).compactMap { stray in
            stray.absence.map { "\(stray.path) is \($0.text)" }
        }
        if absent.count > found.count { found.append("and \(absent.count - found.count) more") }
        return FileProblem(
            .missing, path: root, "the content of \(absent.count) files is not on this machine",
            found: found.joined(separator: "; "),
            advice:
                "Let the sync service download everything, then try again; restore what the service has lost from a back-up"
        )
    }
}

extension RemotePath {
    /// True where somebody named this path, what it lies in, or its last name.
    public func isNamed(in named: Set<String>) -> Bool {
        guard !named.isEmpty else { return false }
        if let name = last, named.contains(name.text) { return true }
        return (1...max(1, names.count)).contains { named.contains(RemotePath(Array(names.prefix($0))).text) }
    }
}
