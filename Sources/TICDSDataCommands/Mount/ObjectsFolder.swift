import Base
import Mounting
import SystemCalls
import SystemPackage

/// A store whose objects a mount shows.
protocol ObjectSource: Sendable {
    /// The objects as they are now.
    func objects() throws(FileProblem) -> ObjectIndex

    /// The store or document for people.
    var place: FilePath { get }

    /// The problems of the mount.
    var problems: MountProblems { get }

    /// Whether the mount shows histories of these objects.
    var hasHistories: Bool { get }

    /// The history of an object.
    func history(of syncID: String) -> any VirtualFile
}

extension ObjectSource {
    /// The objects as they are now. Says if there should be more, which a program that reads them does not see.
    fileprivate func shown() throws(FileProblem) -> ObjectIndex {
        let index = try objects()
        if index.problems != nil {
            problems.report(
                lackAt: place, of: "objects",
                advice: "\(ObjectIndex.problemsName) beside their folders says what")
        }
        return index
    }

    /// None.
    var hasHistories: Bool { false }

    /// An empty file, which no folder shows.
    func history(of syncID: String) -> any VirtualFile {
        FixedFile(SharedBytes([]), modified: FileTime(seconds: 0))
    }
}

/// `objects`: a folder for each entity.
struct ObjectsFolder: VirtualFolder {
    let source: any ObjectSource
    let modified: FileTime

    func listing() throws(FileProblem) -> VirtualListing {
        let index = try source.shown()
        var entries: [(name: String, node: VirtualNode)] = index.entities.map {
            ($0.name, .folder(EntityFolder(source: source, modified: modified, name: $0.name)))
        }
        if let problems = index.problems {
            entries.append((ObjectIndex.problemsName, .file(FixedFile(problems, modified: modified))))
        }
        return VirtualListing(entries)
    }
}

/// `objects/ENTITY`: a file for each object, and its history.
struct EntityFolder: VirtualFolder {
    let source: any ObjectSource
    let modified: FileTime
    let name: String

    func listing() throws(FileProblem) -> VirtualListing {
        let index = try source.shown()
        guard let entity = index.entity(name) else { return VirtualListing([]) }
        let objects = entity.index.count
        // The objects, then the histories of those that have a sync ID.
        let histories = source.hasHistories ? entity.identified : []
        return VirtualListing(
            count: objects + histories.count,
            name: { place in
                place < objects
                    ? entity.index[place] + Self.objectEnding
                    : entity.index[Int(histories[place - objects])] + Self.historyEnding
            },
            position: { name in
                if let stem = name.before(ending: Self.objectEnding) {
                    return entity.index.position(of: stem)
                }
                let object = name.before(ending: Self.historyEnding).flatMap { entity.index.position(of: $0) }
                return object.flatMap { histories.rank(of: Int32(clamping: $0)) }.map { objects + $0 }
            }, isFolder: { _ in false }
        ) { [source, modified] place in
            if place >= objects { return .file(source.history(of: entity.syncIDs[place - objects])) }
            return .file(ObjectFile(index: index, entity: entity, position: place, modified: modified))
        }
    }

    private static let objectEnding = ".json"
    static let historyEnding = ".history.txt"
}

extension [Int32] {
    /// The position of a number in sorted numbers.
    fileprivate func rank(of number: Int32) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number ? low : nil
    }
}

/// An object as JSON.
private struct ObjectFile: VirtualFile {
    let index: ObjectIndex
    let entity: ObjectIndex.Entity
    let position: Int
    let modified: FileTime

    var knownSize: Int64? { entity.lengths[position] }

    func open() throws(FileProblem) -> any VirtualContent { try index.text(position, of: entity) }
}
