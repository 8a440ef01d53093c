import KeyedArchive
import SystemCalls
import SystemPackage

/// `archive-read FILE...` decodes each keyed archive whole and prints how many values it holds.
@main
struct ArchiveRead {
    static func main() throws {
        for argument in CommandLine.arguments.dropFirst() {
            let archive = try KeyedArchiveReader(try FileBytes.read(FilePath(argument)))
            print(count(try archive.value(of: archive.root())))
        }
    }

    private static func count(_ value: ArchivedValue) -> Int {
        switch value {
        case .array(let members), .set(let members), .orderedSet(let members):
            members.reduce(1) { $0 + count($1) }
        case .dictionary(let pairs): pairs.reduce(1) { $0 + count($1.key) + count($1.value) }
        case .object(let object): object.fields.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }
}
