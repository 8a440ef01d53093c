import SystemCalls
import SystemPackage

/// A file on which modification times are tried: volumes round them, and replace those beyond what they can hold.
struct TimeProbe: ~Copyable {
    private let folder: OwnedDescriptor
    private let name: FilePath

    /// Makes the file `name`, which must not exist.
    init(_ name: FilePath, in folder: consuming OwnedDescriptor) throws(FileProblem) {
        try FileWriter(name, in: folder, mode: 0o600).finishUnsynced(modified: FileTime.now)
        self.folder = folder
        self.name = name
    }

    /// Removes the file.
    func end() throws(FileProblem) { try folder.remove(name) }

    /// What the volume makes of a time, and what it can hold, in words; nil where it keeps the time as it is.
    func findsOther(than time: FileTime) throws(FileProblem) -> String? {
        guard let kept = try kept(time) else { return "a volume that does not take this time" }
        if kept == time { return nil }
        guard let first = try self.kept(.first), let last = try self.kept(.last) else { return kept.iso }
        return first <= time && time <= last
            ? "\(kept.iso), to which that volume rounds"
            : "\(kept.iso); that volume holds times from \(first.iso) to \(last.iso)"
    }

    /// The time that the file has after it was given `time`; nil where the volume does not take that.
    private func kept(_ time: FileTime) throws(FileProblem) -> FileTime? {
        do throws(FileProblem) {
            try folder.setTime(time, of: name)
        } catch {
            if error.isDiskError { throw error }
            return nil
        }
        return try folder.status(of: name).modified
    }
}
