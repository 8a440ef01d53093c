import Glibc

/// The nodes that the kernel knows, by the numbers that it got for them, until it forgets them.
struct NodeTable {
    /// The number of the top folder.
    static let root: UInt64 = 1

    /// The numbers of a node.
    struct Numbers {
        /// The number that the kernel uses until it forgets it.
        let node: UInt64
        /// The inode number that programs see. It depends on the place alone: a program that walks through a tree compares
        /// it, and the kernel may forget a node and look it up again meanwhile.
        let inode: UInt64
    }

    private struct Known {
        let place: Place
        let inode: UInt64
        /// The folder; nil for a file, which would keep the listing of its moment in memory.
        var folder: (any VirtualFolder)?
        /// The size that the kernel got; 0 for a folder.
        let size: Int64
        /// The content that the kernel may keep, as a number that differs for another one; nil before it was opened.
        var content: Int?
        /// How many times the kernel got the number and has not forgotten it.
        var lookups: UInt64
    }

    /// A place in the tree. Names are bytes: texts that differ only in normalization are different names.
    private struct Place: Hashable {
        let parent: UInt64
        let name: String

        static func == (one: Place, other: Place) -> Bool {
            one.parent == other.parent && one.name.utf8.elementsEqual(other.name.utf8)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(parent)
            var name = name
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var known: [UInt64: Known] = [:]
    private var numbers: [Place: UInt64] = [:]
    private var last = NodeTable.root
    private let top: any VirtualFolder
    /// The number of nodes from which on the kernel is asked to forget those that nobody uses.
    private let most: Int
    /// The last number at the time of the latest request to forget.
    private var lastAtRequest = NodeTable.root

    init(_ top: any VirtualFolder, most: Int) {
        self.top = top
        self.most = most
    }

    /// The number of nodes besides the top.
    var count: Int { known.count }

    /// The nodes that the kernel should forget unless somebody uses them, entries before their folders; none as long as
    /// few are known, or few came since the last time.
    mutating func surplus() -> [UInt64] {
        guard known.count > most, last - lastAtRequest > UInt64(clamping: most / 2) else { return [] }
        lastAtRequest = last
        return known.keys.sorted(by: >)
    }

    /// The inode number of the entry of a folder with the inode number `parent`.
    private static func inode(of name: String, in parent: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(Place(parent: parent, name: name))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The numbers of a node that the kernel got.
    func numbers(of node: UInt64) -> Numbers {
        Numbers(node: node, inode: node == Self.root ? node : known[node]?.inode ?? node)
    }

    /// The folder of a number.
    /// - Throws: ESTALE if the kernel did not get the number, and ENOTDIR for that of a file.
    func folder(_ number: UInt64) throws(FuseError) -> any VirtualFolder {
        if number == Self.root { return top }
        guard let entry = known[number] else { throw FuseError(number: ESTALE) }
        guard let folder = entry.folder else { throw FuseError(number: ENOTDIR) }
        return folder
    }

    /// The folder that contains the node, and its name there; nil for the top.
    /// - Throws: as ``folder(_:)``.
    func place(of number: UInt64) throws(FuseError) -> (folder: any VirtualFolder, name: String)? {
        if number == Self.root { return nil }
        guard let place = known[number]?.place else { throw FuseError(number: ESTALE) }
        return (try folder(place.parent), place.name)
    }

    /// The size that the kernel got for a number; nil for the top.
    func size(of number: UInt64) -> Int64? { known[number]?.size }

    /// The content that the kernel may have of a file that is opened.
    enum Kept {
        case nothing
        /// The same, as far as it has not forgotten it.
        case content
        /// Another content: the next lookup gives another number.
        case another
    }

    /// Notes the content with which a file is opened.
    mutating func open(_ content: Int, of number: UInt64) -> Kept {
        guard let entry = known[number], let former = entry.content else {
            known[number]?.content = content
            return .nothing
        }
        if former == content { return .content }
        if numbers[entry.place] == number { numbers[entry.place] = nil }
        return .another
    }

    /// The numbers of the entry of a folder, which the kernel now gets. A file that has changed gets another one for the
    /// kernel, so that whoever reads the former content is not disturbed.
    mutating func add(
        _ node: VirtualNode, size: Int64, named name: String, in parent: UInt64
    ) -> Numbers {
        let place = Place(parent: parent, name: name)
        let folder: (any VirtualFolder)? = if case .folder(let folder) = node { folder } else { nil }
        if let number = numbers[place], known[number]?.size == size {
            known[number]?.folder = folder
            known[number]?.lookups += 1
            return numbers(of: number)
        }
        last += 1
        let inode = Self.inode(of: name, in: numbers(of: parent).inode)
        known[last] = Known(place: place, inode: inode, folder: folder, size: size, lookups: 1)
        numbers[place] = last
        return Numbers(node: last, inode: inode)
    }

    /// Takes back numbers that the kernel got.
    mutating func forget(_ number: UInt64, times: UInt64) {
        guard let entry = known[number] else { return }
        if entry.lookups > times {
            known[number]?.lookups = entry.lookups - times
        } else {
            known[number] = nil
            if numbers[entry.place] == number { numbers[entry.place] = nil }
        }
    }
}
