import Base
import ArgumentParser
import CoreDataStore
import CoreDataTools
import KeyedArchive
import TICDSCommandLine

/// The wanted objects of an entity, and their wanted parts.
struct QueryOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: .value(
            "condition", "Only objects that meet a condition, written as a format string of NSPredicate."),
        transform: PredicateArgument.init(parsing:))
    var condition: PredicateArgument?

    @Option(
        help: .value(
            "key-path", "Only these properties, with commas between them, such as title,author.name."))
    var columns: KeyPathsArgument?

    @Option(
        help: .value(
            "key-path",
            "Sort by these properties, with commas between them; :desc after one reverses its order."))
    var sort: KeyPathsArgument?

    @OptionGroup var limit: LimitOptions

    var isGiven: Bool { condition != nil || columns != nil || sort != nil || limit.limit != nil }

    func validate() throws {
        if columns?.keys.contains(where: \.isDescending) == true {
            throw ValidationError("--columns takes key paths without :desc.")
        }
    }

    /// - Parameter further: the number of objects after the last one that the limit allows.
    func query(of entity: String, further: Int = 0) -> ObjectQuery {
        ObjectQuery(
            entity: entity, predicate: condition?.predicate, keys: sort?.keys ?? [],
            limit: limit.limit.map { $0 +| further },
            columns: columns?.keys.map(\.path))
    }
}

/// A condition on the command line.
struct PredicateArgument {
    let predicate: ObjectPredicate

    init(parsing text: String) throws {
        do throws(PredicateProblem) {
            predicate = try ObjectPredicate(parsing: text)
        } catch {
            throw ValidationError("\(error.problem), at character \(error.offset + 1) of the condition.")
        }
    }
}

/// Key paths with commas between them.
struct KeyPathsArgument: ExpressibleByArgument {
    let keys: [ObjectQuery.Key]

    private static let descending = ":desc"

    init?(argument: String) {
        var keys: [ObjectQuery.Key] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let isDescending = part.hasSuffix(Self.descending)
            let text = String(isDescending ? part.dropLast(Self.descending.count) : part)
            guard let path = ArchivedValue.keyPath(text) else {
                return nil
            }
            keys.append(ObjectQuery.Key(path: path, isDescending: isDescending))
        }
        self.keys = keys
    }
}
