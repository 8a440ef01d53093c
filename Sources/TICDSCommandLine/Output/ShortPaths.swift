import SystemCalls

/// Paths in fewer columns than they need: the parts that distinguish them stay.
struct ShortPaths {
    /// The length above which a name is shortened to the part that distinguishes it from the others.
    private static let longestName = 20
    private static let leastOfName = 8
    private static let longestSuffix = 11
    /// The largest number of paths of which each is compared with all others.
    private static let mostCompared = 2_000

    private let paths: [[Substring]]
    /// Beginnings of long names without their suffixes, by whole names.
    private var stems: [Substring: Substring] = [:]
    /// The number of different names of the paths at each level.
    private var variety: [Int] = []

    /// - Parameter paths: escaped for the terminal, with `/` between the names.
    init(_ paths: [String]) {
        self.paths = paths.map { $0.split(separator: "/") }
        var levels: [Set<Substring>] = []
        var long: Set<Substring> = []
        for path in self.paths {
            for (level, name) in path.enumerated() {
                if level == levels.count { levels.append([]) }
                levels[level].insert(name)
                if name.count > Self.longestName { long.insert(Self.stem(name)) }
            }
        }
        variety = levels.map(\.count)
        let sorted = long.sorted()
        for (index, stem) in sorted.enumerated() {
            let before = index > 0 ? Self.common(sorted[index - 1], stem) : 0
            let after = index + 1 < sorted.count ? Self.common(sorted[index + 1], stem) : 0
            stems[stem] = stem.prefix(max(Self.leastOfName, max(before, after) + 1))
        }
    }

    /// The paths, each in at most `width` columns if that is possible.
    func shown(within width: (Int) -> Int) -> [String] {
        var counts: [Pattern: [String: Int]] = [:]
        return paths.indices.map { index in
            let path = paths[index]
            let room = width(index)
            let whole = path.joined(separator: "/")
            if DisplayWidth.of(whole) <= room { return whole }
            return fitting(path, room, &counts)
        }
    }

    /// The levels that are left out in paths of a length.
    private struct Pattern: Hashable {
        var count: Int
        var dropped: Set<Int>
    }

    /// The path without the levels that matter least: in the first form that fits and represents no other path.
    private func fitting(_ path: [Substring], _ width: Int, _ counts: inout [Pattern: [String: Int]])
        -> String
    {
        // Levels with fewer different names are left out first; the last name stays.
        let levels = path.indices.dropLast().sorted { (variety[$0], $0) < (variety[$1], $1) }.prefix(6)
        var first: String?
        for mask in 0..<(1 << levels.count) {
            let dropped = Set(levels.indices.filter { mask >> $0 & 1 == 1 }.map { levels[$0] })
            let text = text(path, without: dropped)
            guard DisplayWidth.of(text) <= width else { continue }
            if paths.count > Self.mostCompared { return text }
            let pattern = Pattern(count: path.count, dropped: dropped)
            if counts[pattern] == nil { counts[pattern] = self.counts(pattern) }
            if counts[pattern]?[text] == 1 { return text }
            first = first ?? text
        }
        return first
            ?? DisplayWidth.withoutMiddle(text(path, without: Set(path.indices.dropLast())), to: width)
    }

    private func counts(_ pattern: Pattern) -> [String: Int] {
        var counts: [String: Int] = [:]
        for path in Set(paths) where path.count == pattern.count {
            counts[text(path, without: pattern.dropped), default: 0] += 1
        }
        return counts
    }

    /// The names with `/` between them; consecutive omitted names become one ellipsis.
    private func text(_ path: [Substring], without dropped: Set<Int>) -> String {
        var kept: [String] = []
        for (level, name) in path.enumerated() {
            if !dropped.contains(level) {
                kept.append(cut(name))
            } else if kept.last != "…" {
                kept.append("…")
            }
        }
        return kept.joined(separator: "/")
    }

    /// The beginning of a long name, and its suffix.
    private func cut(_ name: Substring) -> String {
        let stem = Self.stem(name)
        guard let start = stems[stem], start.count + 1 < stem.count else { return String(name) }
        return start + "…" + name.dropFirst(stem.count)
    }

    /// The name without a short suffix.
    private static func stem(_ name: Substring) -> Substring {
        guard let dot = name.lastIndex(of: "."), name[dot...].count <= longestSuffix else { return name }
        return name[..<dot]
    }

    private static func common(_ one: Substring, _ other: Substring) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }
}
