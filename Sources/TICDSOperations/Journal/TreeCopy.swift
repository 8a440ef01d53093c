import SystemCalls
import SystemPackage
import TICDSCore

/// Copies files, links and whole folders to another volume, with times and modes. The copies are forced to disk and
/// read again.
enum TreeCopy {
    /// Copies the entry at a place to an empty place.
    static func copy(_ place: EntryPlace, to new: EntryPlace) throws(FileProblem) {
        try copy(
            place.name, in: OwnedDescriptor.folder(place.folder), to: OwnedDescriptor.folder(new.folder),
            as: new.name)
    }

    /// Copies the entry `name` of a folder to another folder, under a name that is free there.
    static func copy(
        _ name: FilePath, in source: borrowing OwnedDescriptor, to target: borrowing OwnedDescriptor,
        as new: FilePath
    ) throws(FileProblem) {
        let status = try source.status(of: name)
        switch status.kind {
        case .file: try copyFile(name, status, in: source, to: target, as: new)
        case .symbolicLink:
            try target.makeLink(new, to: try source.linkTarget(name))
            try target.setTime(status.modified, of: new)
        case .folder: try copyFolder(name, status, in: source, to: target, as: new)
        case .special:
            throw FileProblem(
                .unsupported, path: source.path.pushing(name),
                "a fifo, a socket or a device cannot be copied",
                advice: "Move it away by hand")
        }
    }

    private static func copyFolder(
        _ name: FilePath, _ status: FileStatus, in source: borrowing OwnedDescriptor,
        to target: borrowing OwnedDescriptor, as new: FilePath
    ) throws(FileProblem) {
        try target.makeFolder(new, mode: 0o700)
        let from = try source.folder(name)
        let into = try target.folder(new)
        for entry in try DirectoryReader.names(in: from) { try copy(entry, in: from, to: into, as: entry) }
        try into.adopt(owner: status.owner, group: status.group, mode: status.mode)
        try into.sync()
        try target.setTime(status.modified, of: new)
    }

    private static func copyFile(
        _ name: FilePath, _ status: FileStatus, in source: borrowing OwnedDescriptor,
        to target: borrowing OwnedDescriptor, as new: FilePath
    ) throws(FileProblem) {
        let file = try source.file(name)
        var written = try FileWriter(new, in: target, mode: 0o600)
        let digest = try FileHasher.pump(file) { (piece) throws(FileProblem) in try written.append(piece) }
        try written.adopt(owner: status.owner, group: status.group, mode: status.mode)
        try written.finish(modified: status.modified)
        try FileHasher.check(try target.file(new), reads: digest)
    }
}
