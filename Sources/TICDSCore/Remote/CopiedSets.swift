import SystemCalls

/// Finds change sets that are copies of others beside them, by any naming scheme of a sync service: the name has extra
/// text between the stem and the suffix of the other's name, and the bytes are the same, encrypted or not. Two sets of
/// clients never have the same bytes, since each store has an identifier of its own. But two names that the framework
/// made belong to two sets, whatever the sets contain.
enum CopiedSets {
    /// Records the copies in a folder of change sets, with their originals. Reads only files whose names and sizes fit;
    /// a file that cannot be read becomes a problem of the folder.
    static func note(in contents: inout FolderContents, of folder: RemotePath, _ storage: some RemoteStorage)
    {
        guard folder.isFolderOfSets else { return }
        contents.problems += note(in: &contents.listing, storage) { folder.appending($0) }
    }

    /// Records copies that are not known yet.
    /// - Parameter place: the path of the file of that name.
    /// - Returns: the reasons why files could not be read.
    static func note(
        in listing: inout FolderListing, _ storage: some RemoteStorage, at place: (RemoteName) -> RemotePath
    ) -> [FileProblem] {
        var problems: [FileProblem] = []
        for (copy, originals) in candidates(in: listing).sorted(by: { $0.key < $1.key })
        where listing.original(at: copy) == nil {
            let path = place(listing[copy].name)
            do throws(FileProblem) {
                for name in originals.prefix(mostComparisons).map({ listing[$0].name })
                where try storage.holdSameBytes(
                    place(name), path, size: listing.size(at: copy), limit: .changeSet)
                {
                    listing.note(copyAt: copy, of: name)
                    break
                }
            } catch {
                // A file that has vanished is not a copy.
                if error.kind != .missing { problems.append(error) }
            }
        }
        return problems
    }

    /// Limits nested copy names ("a (1) (1) ...").
    private static let mostComparisons = 8
    private static let suffix = Array(RemoteLayout.changeSetSuffix.utf8)

    /// Positions of sets that may be copies, each with the positions of its originals, the shortest name first. The
    /// listing is sorted by name, so all names that begin with the stem of a set are near it.
    static func candidates(in listing: FolderListing) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        for original in listing.indices where isSet(original, in: listing) {
            for step in [-1, 1] {
                var position = original + step
                while listing.indices.contains(position), let fits = fits(position, original, listing) {
                    if fits { found[position, default: []].append(original) }
                    position += step
                }
            }
        }
        return found.mapValues { originals in
            originals.sorted { listing.withName(at: $0, \.count) < listing.withName(at: $1, \.count) }
        }
    }

    /// Whether the entry is a set that synchronising clients would read, and whose content was delivered.
    private static func isSet(_ position: Int, in listing: FolderListing) -> Bool {
        let size = listing.size(at: position)
        guard listing.kind(at: position) == .file, size > 1, size <= ReadLimit.changeSet.bytes,
            !listing.holdsOnlyZeros(at: position)
        else { return false }
        return listing.withName(at: position) { name in
            name.count > suffix.count && name[0] != UInt8(ascii: ".")
                && name[(name.count - suffix.count)...].elementsEqual(suffix)
        }
    }

    /// Whether name and size are those of a copy of `original`; nil if the name does not begin with the stem of
    /// `original`.
    private static func fits(_ position: Int, _ original: Int, _ listing: FolderListing) -> Bool? {
        listing.withName(at: original) { twin in
            let stem = UnsafeRawBufferPointer(rebasing: twin.dropLast(suffix.count))
            return listing.withName(at: position) { name -> Bool? in
                guard name.begins(with: stem) else { return nil }
                return name.count > twin.count
                    && listing.size(at: position) == listing.size(at: original)
                    && isSet(position, in: listing)
                    && !(ChangeSetIdentifier.isOfFramework(stem)
                        && ChangeSetIdentifier.isOfFramework(
                            UnsafeRawBufferPointer(rebasing: name.dropLast(suffix.count))))
            }
        }
    }
}
