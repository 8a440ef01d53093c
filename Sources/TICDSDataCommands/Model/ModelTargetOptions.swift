import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// The source that a command writes.
struct ModelTargetOptions: ParsableArguments {
    @Option(
        help: .value("target", "The .xcdatamodel or .xcdatamodeld to write."), completion: .directory)
    var to: String

    @Flag(help: "Replace an existing file or folder of that name.")
    var force = false

    func validate() throws {
        if !["xcdatamodel", "xcdatamodeld"].contains(FilePath(to).extension ?? "") {
            throw ValidationError("--to needs a name that ends with .xcdatamodel or .xcdatamodeld.")
        }
    }

    func path() throws(FileProblem) -> FilePath { try OutputTarget.path(to) }

    /// Whether the target can contain several versions.
    func isFolder() throws(FileProblem) -> Bool { try path().extension == "xcdatamodeld" }

    /// Writes the models, prints the result and returns the exit status.
    func write(
        _ models: [FoundModel], from source: FilePath, _ context: CommandContext
    ) throws -> ExitStatus {
        let target = try path()
        let place = try AtomicOutput(target, isReplacing: force)
        var omissions: [String] = []
        try NewFile.makeFolder(place.path)
        for found in models {
            let source = try ModelSource(found.model, path: found.path)
            omissions += source.omissions
            var folder = place.path
            if try isFolder() {
                guard let name = FilePath.Component("\(found.name).xcdatamodel") else {
                    throw FileProblem(
                        .unsupported, path: found.path,
                        "a version of this model has no file name, so no source can be written for it",
                        advice: "Name the version with --model-version")
                }
                folder = folder.appending(name)
                try NewFile.makeFolder(folder)
            }
            try NewFile.write(Array(source.text.utf8), to: folder.appending("contents"))
        }
        if try isFolder(), let current = models.first(where: \.isCurrent) ?? models.first {
            let path = place.path.appending(".xccurrentversion")
            try NewFile.write(try ModelFile.currentVersionMark(current.name, path: path), to: path)
        }
        try place.finish()
        let result = Result(source: source, target: target, models: models, omissions: omissions)
        try context.print(result, Self.schema) { text in
            if context.quiet { return }
            let versions = Quantities.count(models.count, "version")
            let entities = Quantities.count(
                models.reduce(0) { $0 + $1.model.entities.count }, "entity", "entities")
            text.line("\(target): \(versions), \(entities)")
        }
        for omission in omissions { context.warn("the source lacks \(omission)") }
        return .success
    }

    struct Result {
        let source: FilePath
        let target: FilePath
        let models: [FoundModel]
        let omissions: [String]
    }

    static let schema = JSONSchema<Result>(
        "ticds.modelSource/1", "Printed by ticds-model(1) `extract` and `decompile`."
    ) {
        $0("source", "The store or model.", \.source)
        $0("target", "The folder that was written.", \.target)
        $0("versions", "The names of the versions.", { $0.models.map(\.name) })
        $0("omissions", "What the source lacks.", \.omissions)
    }
}
