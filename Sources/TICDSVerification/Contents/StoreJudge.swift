import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Judges a store of the application without its layers.
enum StoreJudge: FileCheck {
    static func findings(_ judged: JudgedFile, _ place: FilePath) -> [Finding] {
        do throws(FileProblem) {
            switch try WholeStoreKind(ofPlain: place) {
            case .sqlite: return sqlite(judged, place)
            case .binary: return try binary(judged, place)
            case .xml: return [try xml(judged, place)]
            case .zip, .folder, .empty, .encrypted, .unknown:
                return [
                    judged.finding(
                        .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
                        found: "other bytes inside")
                ]
            }
        } catch {
            return judged.findings(error, .wholeStoreDamaged)
        }
    }

    /// Nothing here reads XML stores, so nobody knows whether one is sound. A property list is no store at all.
    private static func xml(_ judged: JudgedFile, _ place: FilePath) throws(FileProblem) -> Finding {
        let head = try FileBytes.head(place, count: XMLBeginning.headSize)
        guard XMLBeginning(head) == .propertyList else { return judged.finding(.xmlStore) }
        return judged.finding(
            .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
            found: "an XML property list")
    }

    private static func sqlite(_ judged: JudgedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteJudge.findings(judged, at: place, damaged: .wholeStoreDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            _ = try SQLiteStore(place)
            return database
        } catch {
            return database + unopened(judged, error)
        }
    }

    /// What it amounts to that an SQLite store cannot be opened or queried.
    static func unopened(_ judged: JudgedFile, _ problem: FileProblem) -> [Finding] {
        judged.findings(problem, problem.kind == .unsupported ? .notAWholeStore : .wholeStoreDamaged)
    }

    private static func binary(_ judged: JudgedFile, _ place: FilePath) throws(FileProblem) -> [Finding] {
        let limit = judged.context.readLimit
        let bytes: SharedBytes
        do throws(FileProblem) {
            bytes = try FileBytes.read(place, limit: limit)
        } catch  where error.kind == .limit {
            return [
                judged.finding(
                    .tooLarge, expected: "at most \(limit.bytes) bytes", found: "\(judged.file.size) bytes")
            ]
        }
        let archive = try BinaryStoreArchive(bytes, path: judged.place)
        var problems: [FileProblem] = []
        var largestKey: Int64 = 0
        try BinaryStore(archive, model: nil, origin: .none).forEachObject(
            entity: nil, onDamage: { problem throws(FileProblem) in problems.append(problem) },
            { object throws(FileProblem) in largestKey = max(largestKey, object.primaryKey) })
        if let odd = BinaryStoreRules.problem(of: bytes, largestKey: largestKey, path: judged.place) {
            problems.append(odd)
        }
        if let problem = problems.first { return judged.findings(problem, .wholeStoreDamaged) }
        guard let altered = BinaryStoreArchive.writtenForms(of: bytes).lazy.compactMap(\.problem).first else {
            return []
        }
        return judged.findings(FileProblem(altered, path: judged.place), .storeAltered)
    }
}
