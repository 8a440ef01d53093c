import ArgumentParser
import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// The form of a diagram.
enum DiagramFormat: String, ExpressibleByArgument, CaseIterable {
    case svg, dot
}

struct ModelDiagramCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws the entities and relationships of a model.",
        discussion: """
            An SVG picture needs nothing else and follows the reader's choice of light or dark; DOT is for Graphviz. \
            The same model gives the same bytes.

            Examples:
              ticds-model diagram Notebook.momd --to Notebook.svg
              ticds-model diagram Notebook.momd --format dot | dot -Tpdf > Notebook.pdf
              ticds-model diagram Notebook.momd --entity Note --to Note.svg
            """)

    @Argument(
        help: "A .mom, .momd, .xcdatamodel or .xcdatamodeld, or a store that contains its model.",
        completion: .file())
    var model: String

    @Option(help: "The form of the diagram.")
    var format = DiagramFormat.svg

    @Option(
        help: .value("file", "The file to write. Default: -, standard output."),
        completion: .file(extensions: ["svg", "dot", "gv"]))
    var to: String?

    @Option(
        name: .customLong("entity"),
        help: .value("name", "Only this entity and those it is related to; may be repeated."))
    var entities: [String] = []

    @OptionGroup var version: ModelVersionOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.json, to ?? OutputTarget.standardOutput == OutputTarget.standardOutput {
            throw ValidationError("--json needs --to, since it prints the result.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try OutputTarget.page(to ?? OutputTarget.standardOutput, asJSON: context.json)
        let found = try NamedModels(model, password).one(version.modelVersion)
        let diagram = try ModelDiagram(found, around: entities)
        let text = format == .svg ? ModelPicture(diagram).document : ModelGraph(diagram: diagram).text
        try OutputTarget.write(page: text, to: target)
        guard let target else { return .success }
        try context.print((found, diagram, format, target), Self.schema) { text in
            if context.quiet { return }
            text.line("\(target): \(Quantities.count(diagram.entities.count, "entity", "entities"))")
        }
        return .success
    }

    static let schema = JSONSchema<
        (found: FoundModel, diagram: ModelDiagram, format: DiagramFormat, target: FilePath)
    >("ticds.modelDiagram/1", "Printed by ticds-model(1) `diagram` with `--to`.") {
        $0("model", "The file of the model.", { $0.found.path })
        $0("target", "The file that was written.", { $0.target })
        $0("format", "", { $0.format })
        $0("entityNames", "Those in the diagram.", { $0.diagram.entities.map(\.name) })
    }
}

/// The content of a diagram of a model: some entities, and their connections.
struct ModelDiagram {
    /// A line between two entities, by their positions.
    struct Line: Hashable {
        /// The end of a relationship: the number of its targets, and the row of the property at the other entity.
        enum End: Hashable { case none, one, many }

        let from: Int
        let to: Int
        /// The relationship of `from`, and its inverse in `to`; nil for inheritance, in which `to` is the superentity.
        let name: String?
        let inverse: String?
        let fromEnd: End
        let toEnd: End
    }

    let title: String
    let entities: [EntityDescription]
    let lines: [Line]

    /// - Parameter names: the entities that are shown with their neighbours; all if there is none.
    /// - Throws: `.unknownName`; `.limit` for more entities than fit into a picture.
    init(_ found: FoundModel, around names: [String]) throws(FileProblem) {
        let model = found.model
        title = found.name
        var chosen = Set(names)
        for name in names {
            guard model[name] != nil else {
                throw .unknownEntity(name, at: found.path, among: model.entities.map(\.name))
            }
            for entity in model.entities {
                let reaches =
                    entity.superentity == name || entity.relationships.contains { $0.destination == name }
                if reaches { chosen.insert(entity.name) }
            }
            chosen.formUnion(model[name]?.relationships.map(\.destination) ?? [])
            if let above = model[name]?.superentity { chosen.insert(above) }
        }
        entities = names.isEmpty ? model.entities : model.entities.filter { chosen.contains($0.name) }
        let properties = entities.reduce(0) { $0 +| $1.attributes.count +| $1.relationships.count }
        guard entities.count <= Self.entityLimit, properties <= Self.propertyLimit else {
            throw FileProblem(
                .limit, path: found.path, "too much for one diagram",
                expected: "\(Self.entityLimit) entities with \(Self.propertyLimit) properties",
                found: "\(entities.count) with \(properties)", advice: "Choose some with --entity")
        }
        lines = Self.lines(entities)
    }

    private static let entityLimit = 500
    private static let propertyLimit = 20_000

    /// Each relationship once, together with its inverse; then inheritance.
    private static func lines(_ entities: [EntityDescription]) -> [Line] {
        let places = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var lines: [Line] = []
        var drawn: Set<[String]> = []
        for (place, entity) in entities.enumerated() {
            for relationship in entity.relationships {
                guard let to = places[relationship.destination],
                    drawn.insert([entity.name, relationship.name]).inserted
                else { continue }
                let back = relationship.inverse.flatMap { name in
                    entities[to].relationships.first { $0.name == name && $0.destination == entity.name }
                }
                if let back { drawn.insert([entities[to].name, back.name]) }
                lines.append(
                    Line(
                        from: place, to: to, name: relationship.name, inverse: back?.name,
                        fromEnd: back.map { $0.isToMany ? .many : .one } ?? .none,
                        toEnd: relationship.isToMany ? .many : .one))
            }
            if let above = entity.superentity, let to = places[above] {
                lines.append(
                    Line(from: place, to: to, name: nil, inverse: nil, fromEnd: .none, toEnd: .none))
            }
        }
        return lines
    }
}

/// A diagram in the language of Graphviz. Names are only in labels, with every special character escaped.
struct ModelGraph {
    let diagram: ModelDiagram

    var text: String {
        var lines = [
            "digraph model {",
            "    graph [rankdir=LR, nodesep=0.3, ranksep=1.2, label=<\(Self.text(diagram.title))>];",
            "    node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
            "    edge [fontname=\"Helvetica\", fontsize=9, dir=both];",
        ]
        for (place, entity) in diagram.entities.enumerated() { lines.append(node(entity, place)) }
        for line in diagram.lines { lines.append(edge(line)) }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private func node(_ entity: EntityDescription, _ place: Int) -> String {
        let name = entity.isAbstract ? "<I>\(Self.text(entity.name))</I>" : "<B>\(Self.text(entity.name))</B>"
        var rows = ["<TR><TD PORT=\"name\" BGCOLOR=\"#dfe7f1\" COLSPAN=\"2\">\(name)</TD></TR>"]
        for attribute in entity.attributes {
            rows.append(
                "<TR><TD ALIGN=\"LEFT\">\(Self.text(attribute.name))</TD>"
                    + "<TD ALIGN=\"LEFT\">\(Self.text(attribute.type.title))</TD></TR>"
            )
        }
        for (number, relationship) in entity.relationships.enumerated() {
            rows.append(
                "<TR><TD PORT=\"r\(number)\" ALIGN=\"LEFT\" COLSPAN=\"2\">\(Self.text(relationship.name))</TD></TR>"
            )
        }
        let table = "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\">"
        return "    e\(place) [label=<\(table)\(rows.joined())</TABLE>>];"
    }

    private func edge(_ line: ModelDiagram.Line) -> String {
        guard let name = line.name else {
            return
                "    e\(line.from):name -> e\(line.to):name [style=dashed, arrowhead=empty, arrowtail=none];"
        }
        let from = port(name, line.from)
        let to = line.inverse.map { port($0, line.to) } ?? "name"
        return "    e\(line.from):\(from) -> e\(line.to):\(to) "
            + "[arrowtail=\(arrow(line.fromEnd)), arrowhead=\(arrow(line.toEnd))];"
    }

    private func port(_ name: String, _ place: Int) -> String {
        let number = diagram.entities[place].relationships.firstIndex { $0.name == name }
        return number.map { "r\($0)" } ?? "name"
    }

    private func arrow(_ end: ModelDiagram.Line.End) -> String {
        switch end {
        case .none: "none"
        case .one: "tee"
        case .many: "crow"
        }
    }

    private static func text(_ text: String) -> String {
        let escaped = MarkupText.escaped(text)
        return escaped.isEmpty ? " " : escaped
    }
}
