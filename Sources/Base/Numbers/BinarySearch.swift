extension RandomAccessCollection {
    /// The end of the first elements, for which the condition holds; it holds for none of the others. The search asks
    /// about log2(count) elements.
    @inlinable
    public func endOfPrefix(where isOfPrefix: (Element) -> Bool) -> Index {
        var start = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if isOfPrefix(self[middle]) {
                start = index(after: middle)
                count -= half + 1  // bounded: half is less than the count
            } else {
                count = half
            }
        }
        return start
    }
}
