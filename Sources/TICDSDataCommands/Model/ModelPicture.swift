import Base
import CoreDataStore
import SystemCalls
import TICDSCommandLine

/// A diagram of a model as an SVG picture. It needs no other file, and follows the reader's choice of light or dark.
struct ModelPicture {
    /// The box of an entity.
    private struct Box {
        let entity: EntityDescription
        let width: Int
        let height: Int
        var x = 0
        var y = 0

        init(_ entity: EntityDescription) {
            self.entity = entity
            let rows = entity.attributes.count + entity.relationships.count
            height = ModelPicture.head + rows * ModelPicture.row + (rows > 0 ? ModelPicture.pad : 0)
            let names = DisplayWidth.of(ModelPicture.shown(entity.name)) * 9
            let attributes = entity.attributes.map { attribute in
                (DisplayWidth.of(ModelPicture.shown(attribute.name))
                    + DisplayWidth.of(ModelPicture.type(attribute)) + 2) * 7
            }
            let relationships = entity.relationships.map { relationship in
                (DisplayWidth.of(ModelPicture.shown(relationship.name))
                    + DisplayWidth.of(ModelPicture.target(relationship)) + 2) * 7
            }
            width = max(120, ([names] + attributes + relationships).reduce(0, max) + 2 * ModelPicture.pad)
        }

        /// The height at which a line for the relationship ends; the height of the name without one.
        func level(_ name: String?) -> Int {
            guard let name, let place = entity.relationships.firstIndex(where: { $0.name == name }) else {
                return y + ModelPicture.head / 2
            }
            return y + ModelPicture.head + (entity.attributes.count + place) * ModelPicture.row
                + ModelPicture.row / 2
        }
    }

    // Lengths in units of the picture, which are about pixels.
    private static let head = 28
    private static let row = 18
    private static let pad = 10
    private static let gapAcross = 110
    private static let gapDown = 26
    private static let margin = 24
    private static let top = 56
    private static let longestName = 40

    private let diagram: ModelDiagram
    private var boxes: [Box]
    private var width = 0
    private var height = 0

    init(_ diagram: ModelDiagram) {
        self.diagram = diagram
        boxes = diagram.entities.map { Box($0) }
        layOut()
    }

    /// The whole file.
    var document: String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"model\" role=\"img\" "
                + "aria-labelledby=\"picture-title picture-description\" "
                + "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\">",
            "<title id=\"picture-title\">\(MarkupText.escaped("The data model \(diagram.title)"))</title>",
            "<desc id=\"picture-description\">\(MarkupText.escaped(description))</desc>",
            "<style>\(Self.style)</style>", "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
            Self.label("heading", Self.margin, 32, Self.shown(diagram.title)),
        ]
        for line in diagram.lines { lines.append(drawn(line)) }
        for box in boxes { lines += drawn(box) }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// A description of the picture for readers who cannot see it.
    private var description: String {
        let shown = diagram.entities.prefix(50).map { entity in
            let links = entity.relationships.map { "\($0.name) to \($0.destination)" }.joined(separator: ", ")
            let above = entity.superentity.map { ", inherits from \($0)" } ?? ""
            return "\(entity.name)\(above)\(links.isEmpty ? "" : ": \(links)")."
        }
        let rest = diagram.entities.count - shown.count
        return (shown + (rest > 0 ? ["And \(Quantities.count(rest, "more entity", "more entities"))."] : []))
            .joined(separator: " ")
    }

    private static func shown(_ name: String) -> String {
        DisplayWidth.shortened(escapedText(name), to: longestName)
    }

    private static func type(_ attribute: AttributeDescription) -> String {
        attribute.type.title + (attribute.isOptional ? "" : " *")
    }

    private static func target(_ relationship: RelationshipDescription) -> String {
        shown(relationship.destination) + (relationship.isOptional ? "" : " *")
    }
}

/// The places of the boxes: connected entities in columns by their distance from the entity with the most lines, the
/// groups below each other.
extension ModelPicture {
    private mutating func layOut() {
        var neighbours = Array(repeating: Set<Int>(), count: boxes.count)
        for line in diagram.lines where line.from != line.to {
            neighbours[line.from].insert(line.to)
            neighbours[line.to].insert(line.from)
        }
        var placed: Set<Int> = []
        var alone: [Int] = []
        var y = Self.top
        // The most connected first; equal ones by name, the order of the boxes.
        let order = boxes.indices.sorted { (neighbours[$1].count, $0) < (neighbours[$0].count, $1) }
        for start in order where !placed.contains(start) {
            if neighbours[start].isEmpty {
                alone.append(start)
                continue
            }
            y += place(Self.columns(from: start, neighbours, &placed), at: y) + Self.gapDown * 2
        }
        if !alone.isEmpty { y += place(grid(alone.sorted()), at: y, gap: Self.gapDown) + Self.gapDown }
        let right = boxes.map { $0.x + $0.width }.max() ?? 200
        width = max(right, 200) + Self.margin + 40
        height = max(y, Self.top) + Self.margin / 2
    }

    /// The entities by their distance from `start`, each column in the order of the mean place of its neighbours in the
    /// previous column.
    private static func columns(
        from start: Int, _ neighbours: [Set<Int>], _ placed: inout Set<Int>
    ) -> [[Int]] {
        placed.insert(start)
        var columns = [[start]]
        while let last = columns.last {
            let places = Dictionary(last.enumerated().map { ($1, $0) }) { first, _ in first }
            var next = Set(last.flatMap { neighbours[$0] }).subtracting(placed).sorted()
            if next.isEmpty { return columns }
            placed.formUnion(next)
            func mean(_ box: Int) -> Double {
                let found = neighbours[box].compactMap { places[$0] }
                return Double(found.reduce(0, +)) / Double(max(found.count, 1))
            }
            next.sort { (mean($0), $0) < (mean($1), $1) }
            columns.append(next)
        }
        return columns
    }

    /// Entities without lines, in columns of about the same height.
    private func grid(_ boxes: [Int]) -> [[Int]] {
        var columns = max(1, min(6, boxes.count))
        while columns > 1, columns * columns > boxes.count * 3 { columns -= 1 }
        return (0..<columns).map { column in
            boxes.enumerated().filter { $0.offset % columns == column }.map(\.element)
        }
    }

    /// Places the columns, each in the middle of the height, and returns the height. A column that is much higher than
    /// wide is divided.
    private mutating func place(_ columns: [[Int]], at y: Int, gap: Int? = nil) -> Int {
        let divided = columns.flatMap { column -> [[Int]] in
            var parts: [[Int]] = [[]]
            var used = 0
            for box in column {
                if used > Self.highestColumn {
                    parts.append([])
                    used = 0
                }
                parts[parts.count - 1].append(box)
                used += boxes[box].height + Self.gapDown
            }
            return parts
        }
        let heights = divided.map { $0.reduce(-Self.gapDown) { $0 + boxes[$1].height + Self.gapDown } }
        let highest = heights.max() ?? 0
        var x = Self.margin
        for (column, height) in zip(divided, heights) {
            var level = y + (highest - height) / 2
            for box in column {
                boxes[box].x = x
                boxes[box].y = level
                level += boxes[box].height + Self.gapDown
            }
            x += (column.map { boxes[$0].width }.max() ?? 0) + (gap ?? Self.gapAcross)
        }
        return highest
    }

    private static let highestColumn = 1_400
}

/// Boxes and lines as elements.
extension ModelPicture {
    private func drawn(_ box: Box) -> [String] {
        let entity = box.entity
        let style = entity.isAbstract ? "name abstract" : "name"
        var lines = [
            "<g><title>\(MarkupText.escaped(entity.name))</title>",
            "<rect class=\"box\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"5\"/>",
            "<path class=\"head\" d=\"M\(box.x) \(box.y + Self.head) h\(box.width)\"/>",
            Self.label(style, box.x + Self.pad, box.y + 19, Self.shown(entity.name)),
        ]
        var y = box.y + Self.head + 14
        for attribute in entity.attributes {
            lines.append(Self.label("property", box.x + Self.pad, y, Self.shown(attribute.name)))
            lines.append(
                Self.label("type", box.x + box.width - Self.pad, y, Self.type(attribute)))
            y += Self.row
        }
        for relationship in entity.relationships {
            lines.append(Self.label("property link", box.x + Self.pad, y, Self.shown(relationship.name)))
            lines.append(
                Self.label("type", box.x + box.width - Self.pad, y, Self.target(relationship)))
            y += Self.row
        }
        return lines + ["</g>"]
    }

    /// A curve from a side of one box to a side of another, with signs for one or many at its ends.
    private func drawn(_ line: ModelDiagram.Line) -> String {
        let (from, to) = (boxes[line.from], boxes[line.to])
        let isInheritance = line.name == nil
        let y1 = from.level(line.name)
        let y2 = to.level(isInheritance ? nil : line.inverse)
        let rightOfFrom = from.x + from.width
        let rightOfTo = to.x + to.width
        // The sides that face each other, or both right sides of boxes above each other.
        let (x1, way1) = to.x >= rightOfFrom || to.x == from.x ? (rightOfFrom, 1) : (from.x, -1)
        let (x2, way2) = to.x == from.x ? (rightOfTo, 1) : to.x > from.x ? (to.x, -1) : (rightOfTo, 1)
        let bend = max(36, (max(x1, x2) - min(x1, x2)) / 2)
        let curve = "M\(x1) \(y1) C\(x1 + way1 * bend) \(y1) \(x2 + way2 * bend) \(y2) \(x2) \(y2)"
        let title = Self.title(line, diagram)
        let style = isInheritance ? "inheritance" : "relationship"
        let ends =
            isInheritance
            ? "<path class=\"triangle\" d=\"M\(x2) \(y2) l\(way2 * 11) -6 v12 Z\"/>"
            : Self.sign(line.fromEnd, x1, y1, way1) + Self.sign(line.toEnd, x2, y2, way2)
        return
            "<g><title>\(MarkupText.escaped(title))</title><path class=\"\(style)\" d=\"\(curve)\"/>\(ends)</g>"
    }

    /// A bar for one object, a crow's foot for many.
    private static func sign(_ end: ModelDiagram.Line.End, _ x: Int, _ y: Int, _ way: Int) -> String {
        switch end {
        case .none: ""
        case .one: "<path class=\"end\" d=\"M\(x + way * 7) \(y - 5) v10\"/>"
        case .many: "<path class=\"end\" d=\"M\(x) \(y - 6) L\(x + way * 10) \(y) L\(x) \(y + 6)\"/>"
        }
    }

    private static func title(_ line: ModelDiagram.Line, _ diagram: ModelDiagram) -> String {
        let (from, to) = (diagram.entities[line.from].name, diagram.entities[line.to].name)
        guard let name = line.name else { return "\(from) inherits from \(to)" }
        return "\(from).\(name) \(line.toEnd == .many ? "to many" : "to one") \(to)"
            + (line.inverse.map { ", inverse \(to).\($0)" } ?? "")
    }

    private static func label(_ style: String, _ x: Int, _ y: Int, _ text: String) -> String {
        "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(MarkupText.escaped(text))</text>"
    }

    /// The style sheet: colours and letters. The contrast is that of WCAG AA in light and dark.
    static let style = """
        .model { --ground: #ffffff; --box: #f7f8fa; --ink: #1b1f24; --soft: #545b66; --line: #aab1bb; \
        --link: #2f6fb3; --above: #1d7a45;
        font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
        @media (prefers-color-scheme: dark) { .model { --ground: #1b1e24; --box: #242932; --ink: #e9ebee; \
        --soft: #a8b0bb; --line: #5b6472; --link: #76aef0; --above: #6fce93; } }
        @media print { .model { --ground: #ffffff; --box: #f7f8fa; --ink: #1b1f24; --soft: #545b66; \
        --line: #aab1bb; --link: #2f6fb3; --above: #1d7a45; } }
        .model .ground { fill: var(--ground); }
        .model .box { fill: var(--box); stroke: var(--line); }
        .model .head { stroke: var(--line); }
        .model text { fill: var(--ink); font-size: 12px; unicode-bidi: isolate; }
        .model .heading { font-size: 16px; font-weight: 600; }
        .model .name { font-size: 14px; font-weight: 600; }
        .model .abstract { font-style: italic; }
        .model .link { fill: var(--link); }
        .model .type { fill: var(--soft); text-anchor: end; }
        .model .relationship, .model .end { fill: none; stroke: var(--link); stroke-width: 1.3; }
        .model .inheritance { fill: none; stroke: var(--above); stroke-width: 1.3; stroke-dasharray: 5 4; }
        .model .triangle { fill: var(--ground); stroke: var(--above); stroke-width: 1.3; }
        """
}
