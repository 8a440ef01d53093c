import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct ModelFind: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Looks for the model that a store was saved with.",
        discussion: """
            Compares the version hashes of each model with those of the store. Without a model that fits, the \
            command shows the nearest ones first and exits with 1.

            Examples:
              ticds-model find Notebook.storedata Notebook.app
              ticds-model find WholeStore/4A11-8E1D/WholeStore.ticdsync models old/Notebook.momd
            """)

    @Argument(help: "The store: loose, or a WholeStore.ticdsync in any form.", completion: .file())
    var store: String

    @Argument(
        help: "Models, folders with models, or stores that contain their models.", completion: .file())
    var models: [String]

    @Flag(help: "List all models, not only those that fit or the five nearest.")
    var all = false

    @OptionGroup var limit: LimitOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    /// A model, compared with the store.
    struct Candidate {
        let found: FoundModel
        let comparison: VersionHashComparison

        var differing: [VersionHashComparison.Entry] {
            comparison.entries.filter { $0.outcome != .same && $0.outcome != .notComputable }
        }
    }

    struct Report {
        let store: FilePath
        let hashes: Int
        let candidates: [Candidate]
        let fitting: Int
        /// Models that match the store together.
        let merged: [FilePath]
        let problems: [FileProblem]
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = Environment.path(argument: store)
        let file = try StoreFile(path, password)
        let hashes = try PersistentStores.open(file.path, examines: false).metadata.versionHashes
        guard !hashes.isEmpty else {
            throw FileProblem(
                .unsupported, path: path, "the store has no version hashes, so no model can be recognised",
                advice: "Compare by hand: ticds-store info lists the entities of the store")
        }
        var candidates: [Candidate] = []
        var problems: [FileProblem] = []
        for argument in models {
            let named = try NamedModels(argument, password)
            problems += named.problems
            candidates += named.models.map {
                Candidate(
                    found: $0, comparison: VersionHashComparison(model: $0.model, storeHashes: hashes))
            }
        }
        candidates.sort { one, other in
            let (left, right) = (one.comparison, other.comparison)
            if left.fits != right.fits { return left.fits }
            if left.mayFit != right.mayFit { return left.mayFit }
            return (right.equalCount, left.mismatchCount, one.found.path.string)
                < (left.equalCount, right.mismatchCount, other.found.path.string)
        }
        let fitting = candidates.count { $0.comparison.fits }
        let shown = limit.first(
            of: all ? candidates : Array(candidates.prefix(fitting > 0 ? fitting : 5)))
        let search = ModelSearch(
            candidates: candidates.map {
                ModelCandidate(path: $0.found.path, model: $0.found.model, comparison: $0.comparison)
            })
        let merged = fitting > 0 ? [] : search.merged(for: hashes).map(\.path)
        let report = Report(
            store: path, hashes: hashes.count, candidates: shown.entries, fitting: fitting, merged: merged,
            problems: problems)
        try context.print(report, Self.schema) { text in
            show(report, shown.note(), total: candidates.count, to: &text, context)
        }
        let status = context.finish(problems)
        return fitting > 0 || !merged.isEmpty ? status : (problems.isEmpty ? .findings : .partial)
    }

    private func show(
        _ report: Report, _ note: String?, total: Int, to text: inout OutputBuffer, _ context: CommandContext
    ) {
        var rows = TextTable(
            ["FITS", "EQUAL", "OTHER", "MODEL", "DIFFERENT ENTITIES"], [.text, .number, .number, .path],
            leavesOut: ["DIFFERENT ENTITIES"])
        for candidate in report.candidates {
            rows.add([
                candidate.comparison.fits ? "yes" : candidate.comparison.mayFit ? "unknown" : "no",
                "\(candidate.comparison.equalCount) of \(report.hashes)",
                "\(candidate.comparison.mismatchCount)", "\(candidate.found.path)",
                candidate.differing.map(\.entity).listed(),
            ])
        }
        rows.show(to: &text, colour: context.colour())
        if let note { text.line(note) }
        if !report.merged.isEmpty {
            let names = report.merged.map { $0.escaped }.joined(separator: ", ")
            text.line(
                "\(context.colour().paint("No model fits by itself", .doubtful)); together these fit: \(names)"
            )
        } else if report.fitting == 0 {
            let unknown = report.candidates.count { $0.comparison.mayFit }
            if unknown > 0 {
                text.line(
                    "\(Quantities.count(unknown, "model")) may fit: not all version hashes can be computed.")
            }
            text.line(
                "\(context.colour().paint("No model fits", .bad)); \(Quantities.count(total, "model")) compared."
            )
        }
    }

    static let schema = JSONSchema<Report>("ticds.modelSearch/1", "Printed by ticds-model(1) `find`.") {
        $0("store", "", \.store)
        $0("storeEntities", "The number of entities with a version hash in the store.", \.hashes)
        $0("fitting", "The number of models that fit.", \.fitting)
        $0("merged", "Without one, the models that fit together, as an app merges them.", \.merged)
        $0(
            "candidates", "The models that fit; without one, or with `--all`, others, the nearest first.",
            { $0.candidates },
            JSONFields<Candidate> {
                $0("path", "", { $0.found.path })
                $0("version", "The name of the version.", { $0.found.name })
                $0("fits", "Whether all hashes are equal.", { $0.comparison.fits })
                $0(
                    "unknown", "The number of entities whose version hash cannot be computed.",
                    { $0.comparison.unknownCount })
                $0("equal", "The number of entities with equal hashes.", { $0.comparison.equalCount })
                $0(
                    "different", "Other entities.", { $0.differing },
                    JSONFields<VersionHashComparison.Entry> {
                        $0("entity", "", \.entity)
                        $0("outcome", "", \.outcome)
                    })
            })
        $0("problems", "What could not be read.", \.problems)
    }
}
