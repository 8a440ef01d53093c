import Base
import CFuzzer
import Glibc
import KeyedArchive

/// What one target does with an input. Errors are the answer that damaged input should get; findings are traps,
/// sanitizer reports, and inputs that take too long or too much memory.
typealias Target = @Sendable (SharedBytes) throws -> Void

/// All targets, each with its seeds.
let targets: [(name: String, run: Target, seeds: @Sendable () throws -> [[UInt8]])] = [
    ("plist", readPropertyList, propertyListSeeds),
    ("plist-again", rewritePropertyList, propertyListSeeds),
    ("xml-plist", readXMLPropertyList, xmlPropertyListSeeds),
    ("archive", readArchive, archiveSeeds),
    ("archive-lazily", walkArchive, archiveSeeds),
    ("archive-again", rewriteArchive, archiveSeeds),
    ("store", readStore, storeSeeds),
    ("xml-store", readXMLStore, xmlStoreSeeds),
    ("change-set", readChangeSet, storeSeeds),
    ("lines", writeLines, validatorSeeds),
    ("validate", validate, validatorSeeds),
    ("compiled-model", readCompiledModel, archiveSeeds),
    ("model", readModel, modelSeeds),
    ("verify", verifyFile, fileSeeds),
    ("state", readState, stateSeeds),
    ("deflate", inflate, deflateSeeds),
    ("decrypt", decrypt, encryptedSeeds),
    ("plan", readPlan, planSeeds),
    ("journal", readJournal, journalSeeds),
    ("time", readTime, timeSeeds),
    ("size", readSize, sizeSeeds),
    ("decimal", readDecimal, decimalSeeds),
    ("tar", readTar, tarSeeds),
    ("zip", readZip, zipSeeds),
    ("manifest", readManifest, manifestSeeds),
    ("pending", readPending, pendingSeeds),
    ("condition", readCondition, conditionSeeds),
    ("expression", readExpression, expressionSeeds),
    ("mapping", readMapping, mappingSeeds),
    ("damaged-store", recoverBinaryStore, storeSeeds),
    ("recovered-pages", recoverPages, recoverySeeds),
    ("checked-pages", checkPages, recoverySeeds),
    ("envelope", readEnvelope, envelopeSeeds),
    ("inventory", readInventory, inventorySeeds),
    ("child-output", readChildOutput, childOutputSeeds),
    ("listing", readListing, listingSeeds),
    ("import-csv", importCSV, importCSVSeeds),
    ("import-json", importJSON, importJSONSeeds),
]

@main
struct Fuzz {
    /// `fuzz` prints the names of the targets, `fuzz seeds FOLDER` writes the seeds of all targets, and
    /// `fuzz TARGET ...` hands the rest to libFuzzer.
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { return print(targets.map(\.name).joined(separator: "\n")) }
        if arguments[1] == "seeds", arguments.count == 3 { return try writeSeeds(into: arguments[2]) }
        guard let target = targets.first(where: { $0.name == arguments[1] }) else {
            print("fuzz: no target \(arguments[1])")
            exit(64)
        }
        chosen = target.run
        exit(runFuzzer())
    }
}

/// Set once, before the first input.
nonisolated(unsafe) private var chosen: Target?

/// Calls libFuzzer with the arguments of the process but for the target's name.
private func runFuzzer() -> CInt {
    var arguments = CommandLine.unsafeArgv
    arguments[1] = arguments[0]
    arguments += 1
    var count = CommandLine.argc - 1
    return withUnsafeMutablePointer(to: &arguments) { place in
        place.withMemoryRebound(
            to: Optional<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.self, capacity: 1
        ) {
            LLVMFuzzerRunDriver(&count, $0) { start, count in
                try? chosen?(SharedBytes(Array(UnsafeBufferPointer(start: start, count: count))))
                return 0
            }
        }
    }
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Ends the run: libFuzzer keeps the input.
func finding(_ text: String) -> Never {
    print("FINDING: \(text)")
    fflush(nil)
    abort()
}
