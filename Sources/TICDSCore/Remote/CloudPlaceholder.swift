public import SystemCalls
public import SystemPackage

/// The reason why the content of a file is not local. No other code decides this.
///
/// A sync service that has not downloaded a file leaves one of these in the folder:
///
/// 1. A placeholder with a different name: `.NAME.icloud` of iCloud, `NAME.nextcloud` of Nextcloud, `NAME.owncloud` and
///    `NAME.BRAND_virtual` of ownCloud. Other services may follow, so a file of one byte also counts if its name is the
///    name of a framework file plus an extension.
/// 2. A file of one byte under the file's own name. No format of the framework is that short.
/// 3. A file of the full size that contains only zeros. Linux sees the *online-only* files of iCloud (since 2023),
///    OneDrive, Dropbox and Google Drive in this form. Such files have no blocks. Other files may also have none, so a
///    file without blocks is read, and its bytes decide.
/// 4. An empty file. A full disk and an interrupted copy leave such a file as well.
///
/// A power failure can also leave a file of zeros. Commands that change a remote refuse both until a user has checked
/// them.
///
/// Symbolic links and special files also count if clients read a file or list a folder there: clients follow links, and
/// ticds does not, because a link may lead out of the remote.
public enum CloudPlaceholder: String, Sendable, Hashable, CaseIterable {
    /// A placeholder with a different name.
    case placeholder
    /// A download that has not finished.
    case partialDownload
    /// An empty file.
    case empty
    /// A file of one byte.
    case oneByte
    /// A file that contains only zeros.
    case zeros
    /// A symbolic link, which clients follow.
    case symbolicLink
    /// A fifo, a socket or a device.
    case specialFile

    /// The description of the file in messages: "a placeholder of a sync service".
    public var text: String {
        switch self {
        case .placeholder: "a placeholder of a sync service"
        case .partialDownload: "a download that is not finished"
        case .empty: "an empty file"
        case .oneByte: "a file of one byte"
        case .zeros: "a file of nothing but zeros"
        case .symbolicLink: "a symbolic link, which ticds does not follow"
        case .specialFile: "a fifo, a socket or a device"
        }
    }

    /// Whether a sync service or a back-up can deliver the content; false for links and special files.
    package var isDeliverable: Bool { self != .symbolicLink && self != .specialFile }

    /// For a link or a special file, which ticds does not read; nil for files and folders.
    package init?(ofUnread kind: FileKind) {
        switch kind {
        case .file, .folder: return nil
        case .symbolicLink: self = .symbolicLink
        case .special: self = .specialFile
        }
    }

    // MARK: By names

    /// The name of the file that a placeholder replaces: `a.plist` for `.a.plist.icloud`; nil for other entries.
    public static func original(of entry: FolderEntry) -> RemoteName? {
        switch entry.kind {
        case .file: original(of: entry.name, size: entry.size)
        case .folder: withoutICloud(entry.name)
        case .symbolicLink, .special: nil
        }
    }

    /// The name of the file that a placeholder with this name and size in bytes replaces; nil for other entries.
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

    /// The kind of stray that a file of the framework without its content is; nil for all other entries.
    package static func stray(_ entry: FolderEntry, in folder: RemotePath) -> Stray.Kind? {
        guard entry.kind == .file else { return nil }
        let path = folder.appending(entry.name)
        let role = FileRole(of: path, kind: .file)
        if role == .temporaryFile { return nil }
        if original(of: entry) != nil { return .cloudPlaceholder }
        if entry.size == 0 { return .emptyFile }
        return entry.holdsOnlyZeros || (entry.size == 1 && hasForm(role, path)) ? .notDownloaded : nil
    }

    /// Whether files of this role have a format, which never fits into one byte. `ReadMe.txt` and the parts of a store
    /// that is a folder may contain any bytes.
    private static func hasForm(_ role: FileRole, _ path: RemotePath) -> Bool {
        switch role {
        case .deviceInfo, .documentInfo, .salt, .encryptionTest, .integrityKey, .changeSet, .commandSet,
            .recentSync, .tombstone, .register:
            true
        case .wholeStore: path.last == RemoteLayout.wholeStoreFile
        case .folder, .readMe, .sharedExternalData, .temporaryFile, .symbolicLink, .special, .unknown: false
        }
    }

    /// Whether clients read the content of files of this role. They use only the names and times of integrity keys,
    /// recent syncs and tombstones.
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

    /// Whether clients read a file at this path, or list a folder, by its place and name alone.
    package static func isRead(at path: RemotePath) -> Bool {
        let role = FileRole(of: path, kind: .file)
        guard role == .changeSet || role == .commandSet else {
            return isRead(role) || RemoteLayout.hasFolder(at: path)
        }
        // Clients request change sets and command sets by identifier and suffix, so they open no other names.
        let suffix = role == .changeSet ? RemoteLayout.changeSetSuffix : RemoteLayout.commandSetSuffix
        return path.last.map { !$0.isHidden && $0.removing(suffix: suffix) != nil } ?? false
    }

    /// The reason why these bytes, of a whole file, are not its content; nil if they may be. Also nil for no bytes:
    /// readers report an empty file themselves.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> CloudPlaceholder? {
        switch bytes.count {
        case 0: nil
        case 1: .oneByte
        default: bytes.holdsOnlyZeros ? .zeros : nil
        }
    }

    /// The reason why the bytes of an open file are not its content. The file is read up to the first byte that is not
    /// zero.
    public static func of(_ file: any ReadableFile) throws(FileProblem) -> CloudPlaceholder? {
        let size = try file.statusAtOpening().size
        if size < 2 { return size == 1 ? .oneByte : nil }
        let holdsOnlyZeros = try ZeroBytes.fill(size, path: file.path) {
            (buffer, offset) throws(FileProblem) in
            try file.read(into: buffer, at: offset)
        }
        return holdsOnlyZeros ? .zeros : nil
    }

    /// Whether an entry of an open folder is a file without blocks that contains only zeros.
    /// - Throws: the error of reading the file. A file that has vanished gives false.
    static func holdsOnlyZeros(
        _ name: UnsafeRawBufferPointer, _ status: FileStatus, in folder: borrowing OwnedDescriptor
    ) throws(FileProblem) -> Bool {
        guard status.blocks.isNone, status.kind == .file, status.size > 1 else { return false }
        return try unlessMissing { () throws(FileProblem) in
            try of(LocalFile(try folder.file(FilePath(nameBytes: name))))
        } == .zeros
    }

    /// The error for a reader of the file.
    public func problem(_ path: FilePath) -> FileProblem {
        guard isDeliverable else {
            return FileProblem(
                .unreadable, path: path, "clients read what is here, and ticds does not", found: text,
                advice: Self.replacement)
        }
        return FileProblem(
            .missing, path: path, "its content is not on this machine", found: text,
            advice:
                "Let the sync service download it, then try again; if the service has lost it, restore it from a back-up"
        )
    }

    /// The advice for a link or a special file.
    fileprivate static let replacement =
        "Put the file or folder itself in its place, or move it out of the remote, then try again"
}

extension Stray.Kind {
    /// Whether the entry replaces another one: a placeholder, or part of a download.
    public var standsForAnother: Bool { self == .cloudPlaceholder || self == .partialDownload }
}

extension Stray {
    /// The reason why the content of the file is not local; nil if it is, or if clients do not read it.
    public var absence: CloudPlaceholder? {
        kind.standsForAnother || isRead ? absentContent : nil
    }

    private var isRead: Bool {
        switch fileKind {
        case .file, .folder: CloudPlaceholder.isRead(FileRole(of: path, kind: fileKind))
        case .symbolicLink, .special: CloudPlaceholder.isRead(at: path)
        }
    }

    /// The reason why the content of the file is not local, also for files that clients do not read.
    package var absentContent: CloudPlaceholder? {
        switch kind {
        case .cloudPlaceholder: .placeholder
        case .partialDownload: .partialDownload
        case .emptyFile: .empty
        case .notDownloaded: size == 1 ? .oneByte : .zeros
        case .symbolicLink: .symbolicLink
        case .specialFile: .specialFile
        case .conflictedCopy, .temporaryFile, .systemFile, .wrongKind, .nameTwin, .unknown: nil
        }
    }

    /// The name of the file that a placeholder replaces; for other entries their own name.
    public var originalName: RemoteName? {
        path.last.map { CloudPlaceholder.original(of: $0, size: size) ?? $0 }
    }
}

extension RemoteSnapshot {
    /// The files that clients read and whose content is not local, by path; also links and special files where clients
    /// read a file or list a folder.
    public var absentFiles: [Stray] { strays.filter { $0.absence != nil } }

    /// One error for all absent files below some folders, or in place of a folder above them; nil if there are none.
    public func absence(below folders: [RemotePath] = [.root]) -> FileProblem? {
        problem(
            ofAbsent: absentFiles.filter { stray in
                folders.contains {
                    stray.path.names.starts(with: $0.names) || $0.names.starts(with: stray.path.names)
                }
            })
    }

    /// The problems that a command that reads these folders reports: folders that could not be listed, and files whose
    /// content is not local.
    public func problems(of folders: [RemotePath] = [.root]) -> [FileProblem] {
        problems + [absence(below: folders)].compactMap(\.self)
    }

    private static let shownFiles = 5

    /// One problem for all of these files; nil for none.
    package func problem(ofAbsent absent: [Stray]) -> FileProblem? {
        guard let first = absent.first, let absence = first.absence else { return nil }
        guard absent.count > 1 else { return absence.problem(first.path.filePath(under: root)) }
        var found = absent.prefix(Self.shownFiles).compactMap { stray in
            stray.absence.map { "\(stray.path) is \($0.text)" }
        }
        if absent.count > found.count { found.append("and \(absent.count - found.count) more") }
        guard absent.allSatisfy({ $0.absence?.isDeliverable ?? true }) else {
            return FileProblem(
                .unreadable, path: root,
                "clients read \(absent.count) files or folders that cannot be read here",
                found: found.joined(separator: "; "),
                advice:
                    "Put files and folders in the place of links and special files, let the sync service download the rest, then try again"
            )
        }
        return FileProblem(
            .missing, path: root, "the content of \(absent.count) files is not on this machine",
            found: found.joined(separator: "; "),
            advice:
                "Let the sync service download everything, then try again; restore what the service has lost from a back-up"
        )
    }
}

extension RemotePath {
    /// Whether the list contains this path, a folder above it, or its last name.
    public func isNamed(in named: Set<String>) -> Bool {
        guard !named.isEmpty else { return false }
        if let name = last, named.contains(name.text) { return true }
        return (1...max(1, names.count)).contains { named.contains(RemotePath(Array(names.prefix($0))).text) }
    }
}
