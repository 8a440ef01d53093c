import SystemCalls
import SystemPackage

/// A file on which modification times are tested: volumes round them, and replace times that they cannot store.
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

    /// The time that the volume stores instead, and its limits, in words; nil if it keeps the time as it is.
    func findsOther(than time: FileTime) throws(FileProblem) -> String? {
        guard let kept = try kept(time) else { return "a volume that does not take this time" }
        if kept == time { return nil }
        guard let first = try self.kept(.first), let last = try self.kept(.last) else { return kept.iso }
        return first <= time && time <= last
            ? "\(kept.iso), to which that volume rounds"
            : "\(kept.iso); that volume holds times from \(first.iso) to \(last.iso)"
    }

    /// The time of the file after it was set to `time`; nil if the volume does not accept that time.
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
