/// An array in pages. It grows without copying what it has, while an array needs twice its memory then.
struct PagedArray<Element>: RandomAccessCollection, MutableCollection {
    private var pages: [[Element]] = []

    /// The binary logarithm of the number of elements in a page.
    private static var shift: Int { 13 }
    private static var pageSize: Int { 1 << shift }

    /// No elements.
    init() {}

    var startIndex: Int { 0 }
    var endIndex: Int {
        pages.last.map { (pages.count - 1) << Self.shift + $0.count } ?? 0
    }

    subscript(position: Int) -> Element {
        get { pages[position >> Self.shift][position & (Self.pageSize - 1)] }
        _modify { yield &pages[position >> Self.shift][position & (Self.pageSize - 1)] }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if pages.last.map({ $0.count == Self.pageSize }) ?? true {
            // The first page is often the only one, and small.
            var page: [Element] = []
            if !pages.isEmpty { page.reserveCapacity(Self.pageSize) }
            pages.append(page)
        }
        pages[pages.count - 1].append(element)
    }
}

extension PagedArray: Sendable where Element: Sendable {}
