import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct ModelDiff: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what changes between two versions of a model, and whether Core Data can migrate it.",
        discussion: """
            For each change the command shows what a lightweight migration does: the one that Core Data infers from \
            the two models. Exits with 1 if a mapping model is needed.

            Examples:
              ticds-model diff "Notebook.xcdatamodeld/Notebook.xcdatamodel" Notebook.xcdatamodeld
              ticds-model diff old.sqlite Notebook.momd --json | jq '.changes[] | select(.effect == "impossible")'
            """)

    @Argument(help: "The old version: a model, or a store that contains its model.", completion: .file())
    var old: String

    @Argument(help: "The new version, likewise.", completion: .file())
    var new: String

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (first, second) = (
            try NamedModels(old, password).current(), try NamedModels(new, password).current()
        )
        let difference = ModelDifference(from: first.model, to: second.model)
        let status = difference.effect == .impossible ? ExitStatus.findings : .success
        try context.print((first, second, difference), Self.schema, at: status) {
            show(difference, to: &$0, context)
        }
        return status
    }

    private func show(_ difference: ModelDifference, to text: inout OutputBuffer, _ context: CommandContext) {
        let colour = context.colour()
        var rows = TextTable(
            ["EFFECT", "ENTITY", "PROPERTY", "CHANGE", "DETAILS"], leavesOut: ["DETAILS", "CHANGE"])
        for change in difference.changes {
            rows.add([
                change.effect.rawValue, change.entity, change.property ?? "", change.kind.rawValue,
                change.text,
            ])
        }
        if !rows.isEmpty { rows.show(to: &text, colour: colour) }
        for name in difference.unknown {
            text.line("The version hash of \(name) is not known.")
        }
        text.line(Self.verdict(difference, colour))
    }

    private static func verdict(_ difference: ModelDifference, _ colour: Colour) -> TerminalText {
        if difference.isCompatible {
            return colour.paint(
                "A store of the old version opens with the new one without a migration.", .good)
        }
        switch difference.effect {
        case .none where difference.compatibility == .unknown:
            return colour.paint(
                "All version hashes that can be computed are equal: a migration may not be needed.", .doubtful
            )
        case .none, .inferred: return colour.paint("A lightweight migration is possible.", .good)
        case .conditional:
            return colour.paint("A lightweight migration is possible if the objects allow it.", .doubtful)
        case .impossible: return colour.paint("A lightweight migration is not possible.", .bad)
        }
    }

    static let schema = JSONSchema<(old: FoundModel, new: FoundModel, difference: ModelDifference)>(
        "ticds.modelDifference/1", "Printed by ticds-model(1) `diff`."
    ) {
        $0("old", "The file of the old version.", { $0.old.path })
        $0("new", "The file of the new version.", { $0.new.path })
        $0(
            "isCompatible", "Whether a store of the old version opens with the new one without a migration.",
            { $0.difference.isCompatible })
        $0(
            "compatibility",
            "`unknown` if the version hashes that can be computed are equal, and others cannot be computed.",
            as: .names(ModelDifference.Compatibility.allCases.map(\.rawValue)),
            { $0.difference.compatibility.rawValue })
        $0(
            "effect",
            """
            The worst of the changes. `none`: not part of the version hash; `inferred`: a lightweight migration \
            carries it out; `conditional`: if the objects allow it; `impossible`: needs a mapping model.
            """, { $0.difference.effect })
        $0(
            "changes", "", { $0.difference.changes },
            JSONFields<ModelDifference.Change> {
                $0("entity", "The name in the new version, or in the old one if it is removed.", \.entity)
                $0("property", "The name, likewise; null for the entity itself.", \.property)
                $0("subject", "", \.subject)
                $0("kind", "", \.kind)
                $0("effect", "As above.", \.effect)
                $0("text", "What changes, and what follows.", \.text)
            })
        $0("unknown", "Entities of which a version hash is not known.", { $0.difference.unknown })
    }
}
