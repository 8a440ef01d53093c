import Base
import Mounting
import SystemCalls

/// A store whose objects a mount shows.
protocol ObjectSource: Sendable {
    /// The objects as they are now.
    func objects() throws(FileProblem) -> ObjectIndex

    /// The history of an object; nil if the mount shows none.
    func history(of syncID: String) -> (any VirtualFile)?
}

/// `objects`: a folder for each entity.
struct ObjectsFolder: VirtualFolder {
    let source: any ObjectSource
    let modified: FileTime

    func listing() throws(FileProblem) -> VirtualListing {
        let index = try source.objects()
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
private struct EntityFolder: VirtualFolder {
    let source: any ObjectSource
    let modified: FileTime
    let name: String

    func listing() throws(FileProblem) -> VirtualListing {
        let index = try source.objects()
        guard let entity = index.entity(name) else { return VirtualListing([]) }
        // A file of the history for each object with a sync ID.
        var places: [(object: Int, isHistory: Bool)] = []
        var names: [String] = []
        for position in entity.names.indices {
            places.append((position, false))
            names.append(entity.names[position] + ".json")
            guard let id = entity.syncIDs[position], source.history(of: id) != nil else { continue }
            places.append((position, true))
            names.append(entity.names[position] + ".history.txt")
        }
        return VirtualListing(names, isFolder: { _ in false }) { [source, modified, places] place in
            let (position, isHistory) = places[place]
            if isHistory, let id = entity.syncIDs[position], let history = source.history(of: id) {
                return .file(history)
            }
            return .file(ObjectFile(index: index, entity: entity, position: position, modified: modified))
        }
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
