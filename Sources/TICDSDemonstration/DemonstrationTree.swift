import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes the files of the demonstration with their times. Encrypts the files that clients encrypt, if there is a key.
struct DemonstrationTree {
    let folder: FilePath
    let key: SyncKey?
    private var times: [(path: FilePath, time: FileTime)] = []

    init(folder: FilePath, key: SyncKey?) {
        self.folder = folder
        self.key = key
    }

    /// Makes a folder and the missing folders around it.
    mutating func makeFolder(_ path: String, _ time: Double) throws(FileProblem) {
        var place = folder
        for component in FilePath(path).components {
            place.append(component)
            if times.contains(where: { $0.path == place }) { continue }
            try NewFile.makeFolder(place)
            times.append((place, Self.moment(time)))
        }
    }

    /// Writes a file into an existing folder; encrypts it if `isProtected` and there is a key.
    func write(_ bytes: [UInt8], _ path: String, _ time: Double, isProtected: Bool = true) throws(FileProblem)
    {
        let place = folder.pushing(FilePath(path))
        guard let key, isProtected else {
            return try NewFile.write(bytes, to: place, modified: Self.moment(time))
        }
        let encrypted = try EncryptedFile.encrypt(SharedBytes(bytes), with: key, path: place)
        try NewFile.write(encrypted.array, to: place, modified: Self.moment(time))
    }

    /// Records that an entry was added to a folder at `time`; the latest time counts.
    mutating func touch(_ path: String, _ time: Double) {
        let place = folder.pushing(FilePath(path))
        for index in times.indices where times[index].path == place {
            times[index].time = max(times[index].time, Self.moment(time))
        }
    }

    /// Sets the times of the folders, innermost first, since each new entry changes the time of its folder.
    func finish() throws(FileProblem) {
        for (path, time) in times.reversed() { try NewFile.setTime(time, ofFolder: path) }
    }

    private static func moment(_ time: Double) -> FileTime {
        FileTime(secondsSince2001: time) ?? FileTime(seconds: 0)
    }
}
