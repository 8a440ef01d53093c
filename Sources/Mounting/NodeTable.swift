/// The nodes that the kernel knows, by the numbers that it got for them, until it forgets them.
struct NodeTable {
    /// The number of the top folder.
    static let root: UInt64 = 1

    private struct Known {
        let place: Place
        var node: VirtualNode
        /// How many times the kernel got the number and has not forgotten it.
        var lookups: UInt64
    }

    private struct Place: Hashable {
        let parent: UInt64
        let name: String
    }

    private var known: [UInt64: Known] = [:]
    private var numbers: [Place: UInt64] = [:]
    private var last = NodeTable.root
    private let top: VirtualNode

    init(_ top: VirtualNode) { self.top = top }

    /// The number of nodes besides the top.
    var count: Int { known.count }

    /// The node of a number; nil if the kernel did not get it.
    subscript(number: UInt64) -> VirtualNode? { number == Self.root ? top : known[number]?.node }

    /// The folder that contains the node, and its name there; nil for the top.
    func place(of number: UInt64) -> (parent: UInt64, name: String)? {
        known[number].map { ($0.place.parent, $0.place.name) }
    }

    /// The number of the entry of a folder, which the kernel now gets.
    mutating func add(_ node: VirtualNode, named name: String, in parent: UInt64) -> UInt64 {
        let place = Place(parent: parent, name: name)
        if let number = numbers[place] {
            known[number]?.node = node
            known[number]?.lookups += 1
            return number
        }
        last += 1
        known[last] = Known(place: place, node: node, lookups: 1)
        numbers[place] = last
        return last
    }

    /// Replaces a node by what is at its place now.
    mutating func replace(_ number: UInt64, by node: VirtualNode) { known[number]?.node = node }

    /// Takes back numbers that the kernel got.
    mutating func forget(_ number: UInt64, times: UInt64) {
        guard let entry = known[number] else { return }
        if entry.lookups > times {
            known[number]?.lookups = entry.lookups - times
        } else {
            known[number] = nil
            numbers[entry.place] = nil
        }
    }
}
