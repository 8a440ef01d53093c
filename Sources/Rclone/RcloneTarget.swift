package import SystemCalls
import SystemPackage
package import TICDSCore
package import TICDSOperations

/// The place in a storage where a copy of a remote is put.
package struct RcloneTarget: Sendable {
    /// The new application folder.
    package let address: RcloneAddress
    /// The folder as it is now; nil if it does not exist, and in a bucket, whose copy compares file by file.
    private let existing: RcloneStorage?
    let features: RcloneFeatures
    let engine: RcloneEngine

    /// Finds the place.
    /// - Parameters:
    ///   - named: the new application folder, or the folder around it.
    ///   - application: the identifier of the app, which must be the name of the folder.
    /// - Throws: `.refused` if the folder has a different name, or would be in a different remote; `.missing` if there
    ///   is no folder around it.
    package init(_ named: RcloneAddress, _ application: RemoteName) throws(FileProblem) {
        guard application.isSafe, !application.isHidden, application.isUTF8 else {
            throw FileProblem(
                .refused, path: named.root, "\"\(application)\" cannot be the name of a remote there",
                advice: "Use the identifier of the app, such as com.example.app")
        }
        engine = try RcloneEngine.running()
        features = try engine.features(of: named)
        let there = try Self.entriesIfPresent(named, engine)
        var address = named
        if named.name != application.text {
            guard let there, !RemoteLocation.isRemote(there) else {
                throw FileProblem(
                    .refused, path: named.root,
                    "the folder's name differs from the application's identifier, so the app would not find it",
                    expected: "\(application)", found: named.name,
                    advice: there == nil && !features.isBucket
                        ? "To create it in a new folder of this name, make the folder, then run the command again: "
                            + "rclone mkdir \(ShellWord.quoted(Array(named.shownRemote.utf8))). To give the remote "
                            + "another identifier, use --rename-application"
                        : "Name a folder of that name, or give --rename-application")
            }
            address = named.appending(application.text)
        }
        self.address = address
        try Self.checkAround(address, features, engine)
        let isThere = try address == named ? there != nil : Self.entriesIfPresent(address, engine) != nil
        existing = isThere && !features.isBucket ? try RcloneStorage(address, engine) : nil
    }

    /// The folder as planners see it.
    package var place: CopyPlace {
        CopyPlace(
            storage: existing, contents: LiveRclone(address, engine), timeStep: features.precision,
            isPublishedStepwise: isBucket)
    }

    /// Whether the copy is written file by file, since the server cannot move a folder.
    package var isBucket: Bool { features.isBucket }

    /// Refuses a storage that cannot store a copy.
    package func check() throws(FileProblem) {
        do throws(FileProblem) {
            if isBucket {
                try RcloneBucketCopy.check(self)
            } else {
                _ = try WritableRclone.at(address)
            }
        } catch {
            guard error.kind == .refused, features.keepsTimes == false || !features.movesFolders else {
                throw error
            }
            var problem = error
            problem.advice =
                "Write an archive with ticds-archive export, which keeps every time, and upload it with rclone "
                + "copyto; or name another storage. See ticds-remotes(7)"
            throw problem
        }
    }

    /// The entries of a folder; nil if it does not exist.
    static func entriesIfPresent(
        _ folder: RcloneAddress, _ engine: RcloneEngine
    ) throws(FileProblem) -> FolderListing? {
        if let parent = folder.parent {
            guard let found = try engine.status(of: [RemoteName(folder.name)], inFolder: parent) else {
                return nil
            }
            guard found.kind == .folder else {
                throw FileProblem(
                    .refused, path: folder.root, "there is a file of that name", advice: "Choose another name"
                )
            }
        }
        let listing = try engine.listOnly(.root, of: folder, withDigests: false)
        if let problem = listing.problems.first { throw problem }
        return listing[.root]
    }

    /// Refuses a place in a different remote, and a place whose folder does not exist.
    private static func checkAround(
        _ address: RcloneAddress, _ features: RcloneFeatures, _ engine: RcloneEngine
    ) throws(FileProblem) {
        var isNearest = true
        var next = address.parent
        while let folder = next {
            next = folder.parent
            let listing: FolderListing
            do throws(FileProblem) {
                if let found = try entriesIfPresent(folder, engine) {
                    listing = found
                } else if features.isBucket {
                    continue  // Buckets have no folders that must be created.
                } else {
                    throw FileProblem(
                        .missing, path: folder.root, "no such folder",
                        advice:
                            "Create it first: rclone mkdir \(ShellWord.quoted(Array(folder.shownRemote.utf8)))"
                    )
                }
            } catch {
                // Above the folder around it, an account may have no access.
                if isNearest { throw error }
                return
            }
            isNearest = false
            guard listing[RemoteLayout.clientDevices]?.kind == .folder else { continue }
            throw FileProblem(
                .refused, path: address.root, "the copy would lie inside another remote",
                found: "\(folder.root)",
                advice: "Foreign folders harm the clients; name a folder elsewhere")
        }
    }
}

extension RcloneEngine {
    /// Kind, size and time of an entry of a folder that itself need not exist; nil if it does not exist.
    fileprivate func status(
        of path: RemotePath, inFolder folder: RcloneAddress
    ) throws(FileProblem) -> FolderEntry? {
        try unlessMissing { () throws(FileProblem) in try status(of: path, in: folder) } ?? nil
    }
}

extension RcloneAddress {
    /// The place in the form that users write for rclone, without the values of options.
    var shownRemote: String { String(shown.dropFirst(Self.prefix.count)) }
}
