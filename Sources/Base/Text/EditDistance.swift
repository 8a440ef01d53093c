/// The distance between two words.
package enum EditDistance {
    /// The number of letters to insert, remove, change, or swap with a neighbour to convert one word into the other.
    package static func between(_ one: String, _ other: String) -> Int {
        let (from, to) = (Array(one.prefix(40)), Array(other.prefix(40)))
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for row in 0..<from.count {
            var next = [row + 1]
            for column in 0..<to.count {
                let changed = last[column] + (from[row] == to[column] ? 0 : 1)
                var best = min(changed, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[to.count]
    }

    /// Whether a word is near enough to a name to be a misspelling of it.
    package static func isNear(_ word: String, to name: String) -> Bool {
        between(word, name) <= max(1, name.count / 3)
    }

    /// The nearest of the names to which the word is near; if several are equally near, the first.
    package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        names.filter { isNear(word, to: $0) }.sorted().min { between(word, $0) < between(word, $1) }
    }
}
