import KeyedArchive
package import SystemCalls

/// What a storage guarantees when a remote in it is changed.
package struct StorageCapabilities: Hashable, Sendable, Codable {
    /// A move to an absent name never replaces an entry that appears there meanwhile. Otherwise the storage looks first,
    /// and a moment remains.
    package var movesExclusively: Bool
    /// A file or a folder with everything in it moves in one step. Otherwise a move is copies and deletions, and may stop
    /// in the middle.
    package var movesAtOnce: Bool
    /// A file is replaced in one step: nobody finds it missing.
    package var replacesAtOnce: Bool
    /// The storage moves or copies files itself: their bytes do not pass through this machine.
    package var movesOnServer: Bool
    /// The smallest difference of two modification times that the storage keeps, in nanoseconds; nil if it keeps no times
    /// that are set.
    package var timeResolution: Int64?
    /// Folders keep modification times that are set.
    package var keepsFolderTimes: Bool
    /// An upload can have the condition that nothing has its name.
    package var writesConditionally: Bool
    /// The digests that the storage has of its files without reading them, such as `sha256`; the best first.
    package var digests: [String]
    /// Names that differ in case alone are two entries.
    package var distinguishesCase: Bool
    /// Folders are entries of their own. Otherwise there is a folder as long as there is a file below it, and an empty
    /// one does not exist.
    package var hasFolders: Bool

    package init(
        movesExclusively: Bool = true, movesAtOnce: Bool = true, replacesAtOnce: Bool = true,
        movesOnServer: Bool = true, timeResolution: Int64? = 1, keepsFolderTimes: Bool = true,
        writesConditionally: Bool = false, digests: [String] = [], distinguishesCase: Bool = true,
        hasFolders: Bool = true
    ) {
        self.movesExclusively = movesExclusively
        self.movesAtOnce = movesAtOnce
        self.replacesAtOnce = replacesAtOnce
        self.movesOnServer = movesOnServer
        self.timeResolution = timeResolution
        self.keepsFolderTimes = keepsFolderTimes
        self.writesConditionally = writesConditionally
        self.digests = digests
        self.distinguishesCase = distinguishesCase
        self.hasFolders = hasFolders
    }

    /// Whether an action can stop in the middle, so that the journal has to record which one has begun.
    var isStepwise: Bool { !movesAtOnce || !replacesAtOnce }

    /// The time as the storage keeps it: rounded down to its resolution.
    package func held(_ time: FileTime) -> FileTime {
        guard let timeResolution, timeResolution > 1 else { return time }
        return time.rounded(downTo: timeResolution)
    }
}

extension FileTime {
    /// The last time that is not later, and a multiple of `step` nanoseconds: a part of a second, or whole seconds.
    package func rounded(downTo step: Int64) -> FileTime {
        let second: Int64 = 1_000_000_000
        guard step >= second else {
            let rest = Int64(nanoseconds) % max(step, 1)
            return FileTime(seconds: seconds, nanoseconds: Int32(clamping: Int64(nanoseconds) - rest))
        }
        let length = step / second
        let rest = seconds % length
        return FileTime(seconds: seconds -| (rest < 0 ? rest + length : rest))
    }
}
