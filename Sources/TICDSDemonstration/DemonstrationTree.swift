import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The files of the demonstration before they are written: contents and modification times by path. What is protected in a
/// real remote is encrypted here too, where there is a key.
struct DemonstrationTree {
    let folder: FilePath
    let key: SyncKey?
    private var times: [(path: FilePath, time: FileTime)] = []

    init(folder: FilePath, key: SyncKey?) {
        self.folder = folder
        self.key = key
    }

    /// Makes a folder and what is missing above it.
    mutating func makeFolder(_ path: String, _ time: Double) throws(FileProblem) {
        var place = folder
        for component in FilePath(path).components {
            place.append(component)
            if times.contains(where: { $0.path == place }) { continue }
            try NewFile.makeFolder(place)
            times.append((place, Self.moment(time)))
        }
    }

    /// Writes a file, encrypted where `isProtected` and there is a key; its folder must exist.
    func write(_ bytes: [UInt8], _ path: String, _ time: Double, isProtected: Bool = true) throws(FileProblem)
    {
        let place = folder.pushing(FilePath(path))
        guard let key, isProtected else {
            return try NewFile.write(bytes, to: place, modified: Self.moment(time))
        }
        let encrypted = try EncryptedFile.encrypt(SharedBytes(bytes), with: key, path: place)
        try NewFile.write(encrypted.array, to: place, modified: Self.moment(time))
    }

    /// Notes that something was put into a folder at `time`; the latest time counts.
    mutating func touch(_ path: String, _ time: Double) {
        let place = folder.pushing(FilePath(path))
        for index in times.indices where times[index].path == place {
            times[index].time = max(times[index].time, Self.moment(time))
        }
    }

    /// Gives the folders their times, innermost first, since each file changes the time of its folder.
    func finish() throws(FileProblem) {
        for (path, time) in times.reversed() { try NewFile.setTime(time, ofFolder: path) }
    }

    private static func moment(_ time: Double) -> FileTime {
        FileTime(secondsSince2001: time) ?? FileTime(seconds: 0)
    }
}
