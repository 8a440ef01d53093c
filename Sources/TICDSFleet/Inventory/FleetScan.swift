import TICDSOperations
package import SystemCalls
package import SystemPackage
import TICDSCore
package import TICDSStorages

/// Finds the remotes below folders. A remote is known by its folders: `ClientDevices`, or `Documents` together with
/// `Information`. The scan does not search inside a remote, follows no link, and omits hidden folders below the named
/// one.
package struct FleetScan {
    /// The remotes that were found, by location.
    package private(set) var found: [FilePath] = []
    /// The folders that could not be listed, with the reasons.
    package private(set) var problems: [FileProblem] = []
    /// The number of folders that were listed.
    package private(set) var folders = 0

    /// The number of levels below the named folder.
    private let depth: Int
    private let mayContinue: () -> Bool

    /// Searches `places` down to `depth` levels below them.
    package static func run(
        _ places: [RemoteAddress], depth: Int, while mayContinue: @escaping () -> Bool = { true }
    ) throws(FileProblem) -> FleetScan {
        var scan = FleetScan(depth: depth, mayContinue: mayContinue)
        for place in places {
            switch place {
            case .folder(let path): try scan.search(path)
            case .elsewhere(let address): try scan.search(address)
            }
        }
        scan.found = Array(Set(scan.found)).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return scan
    }

    private init(depth: Int, mayContinue: @escaping () -> Bool) {
        self.depth = depth
        self.mayContinue = mayContinue
    }

    private mutating func search(_ named: FilePath) throws(FileProblem) {
        guard let root = try named.resolved() else {
            throw FileProblem(.missing, path: named, "no such file or folder")
        }
        guard try FileStatus.of(root).kind == .folder else {
            throw FileProblem(
                .unsupported, path: named, "cannot be searched for remotes", expected: "a folder",
                found: "a file",
                advice: "Name the folder that contains the remotes")
        }
        try search(
            root, path: \.self,
            entries: { (folder) throws(FileProblem) in try LocalStorage(root: folder).list(.root) },
            subfolder: { $0.pushing(FilePath(nameBytes: $1.bytes)) })
    }

    private mutating func search(_ root: some StorageAddress) throws(FileProblem) {
        try FleetRemote.checkName(of: root)
        try search(
            root, path: \.root,
            entries: { (folder) throws(FileProblem) in FolderContents(listing: try folder.entries()) },
            subfolder: { $0.appending($1.text) })
    }

    /// Searches a folder and the levels below it.
    private mutating func search<Place>(
        _ root: Place, path: (Place) -> FilePath,
        entries: (Place) throws(FileProblem) -> FolderContents, subfolder: (Place, RemoteName) -> Place
    ) throws(FileProblem) {
        var level = [root]
        for step in 0...depth where !level.isEmpty {
            var next: [Place] = []
            for folder in level {
                guard mayContinue() else {
                    throw FileProblem(.interrupted, path: path(root), "the search was stopped")
                }
                do throws(FileProblem) {
                    let contents = try entries(folder)
                    folders += 1
                    problems += contents.problems.filter { $0.kind != .missing }
                    if Self.isRemote(contents.listing) {
                        found.append(path(folder))
                    } else {
                        next += Self.subfolders(contents.listing).map { subfolder(folder, $0) }
                    }
                } catch {
                    if step == 0 { throw error }
                    if error.kind != .missing { problems.append(error) }
                }
            }
            level = next
        }
    }

    private static func isRemote(_ listing: FolderListing) -> Bool {
        func has(_ name: RemoteName) -> Bool { listing[name]?.kind == .folder }
        return has(RemoteLayout.clientDevices) || has(RemoteLayout.documents) && has(RemoteLayout.information)
    }

    private static func subfolders(_ listing: FolderListing) -> [RemoteName] {
        listing.indices.filter { listing.kind(at: $0) == .folder }.map { listing[$0].name }
            .filter { !$0.isHidden && $0 != "lost+found" }
    }
}

extension FleetInventory {
    /// The changes of a scan to an inventory.
    package struct Changes: Sendable {
        /// Remotes that are new in the inventory.
        package var added: [FleetRemote] = []
        /// The number of remotes that were already in it.
        package var known = 0
        /// Remotes of the inventory below the searched folders that no longer exist.
        package var gone: [FleetRemote] = []
    }

    /// Adds the remotes that a scan found. Known remotes keep their password and get the new tags in addition.
    /// - Parameters:
    ///   - places: the searched folders, as paths without links.
    ///   - removesGone: whether to remove remotes below these that no longer exist.
    package mutating func add(
        _ scan: FleetScan, in places: [FilePath], password: PasswordReference?, tags: [String],
        removesGone: Bool
    ) throws(FileProblem) -> Changes {
        var changes = Changes()
        for location in scan.found {
            let new = FleetRemote(
                location: location, application: RemoteName(ofRemoteAt: location).text, password: password,
                tags: tags)
            guard var known = remotes[new.identifier] else {
                try put(new)
                changes.added.append(new)
                continue
            }
            changes.known += 1
            known.set(tags: tags, isRemoving: false)
            if let password { known.password = password }
            try put(known)
        }
        // A folder that could not be listed may still contain them.
        let found = Set(scan.found)
        changes.gone = sorted.filter { remote in
            !found.contains(remote.location) && places.contains { remote.location.starts(with: $0) }
                && !scan.problems.contains { remote.location.starts(with: $0.path) }
        }
        if removesGone { for remote in changes.gone { remove(remote.identifier) } }
        return changes
    }
}
