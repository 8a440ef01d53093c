import TestSupport
import Testing

/// Documentation of the libraries.
@Suite struct DocumentationTests {
    /// Examples of articles must compile and be right.
    @Test(arguments: ["KeyedArchive", "CoreDataStore", "CoreDataTools", "TICDSCore", "TICDSOperations"])
    func examplesAreThoseOfTests(_ module: String) throws {
        let sources = try SourceTree.files(below: "Tests", suffix: "Examples.swift")
            .map { try SourceTree.lines(of: $0) }
        let examples = try ArticleExample.all(of: module)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(sources.contains { example.stands(in: $0) }, "\(example)")
        }
    }

    @Test(
        arguments: [
            "Base", "KeyedArchive", "SystemCalls", "CoreDataStore", "CoreDataTools", "TICDSCore",
            "TICDSOperations",
            "TICDSSync", "TICDSArchive", "TICDSVerification", "TICDSRepair",
        ])
    func publicDeclarationsAreDocumented(_ module: String) throws {
        let found = try UndocumentedDeclaration.all(of: module)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func undocumentedDeclarationsAreFound() {
        let source = """
            public import SystemPackage

            /// Documented.
            public struct Recipe {
                public let title: String
                /// Documented.
                @inline(__always)
                public func cook() {
                    let inside = 1
                }
                @inline(__always)
                public func eat() {}
                let inside = 1

                public enum Kind {
                    case soup
                    /// Documented.
                    indirect case pie(Kind)
                }
            }

            /// Documented, but for its cases.
            public enum Course { case first, second }

            /// Documented.
            public protocol Cook {
                func cook(
                    _ recipe: Recipe)
            }

            extension Recipe: Hashable {
                public func hash(into hasher: inout Hasher) {}
            }
            """.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        #expect(UndocumentedDeclaration.all(in: source).map(\.line) == [5, 12, 15, 16, 23, 27])
    }

    @Test func examplesStandWhereTheyStand() throws {
        let example = try #require(try ArticleExample.all(of: "TICDSCore").first)
        let inside = ["func test() {"] + example.code.map { $0.isEmpty ? "" : "    " + $0 } + ["}"]
        #expect(example.stands(in: inside))
        #expect(!example.stands(in: Array(inside.dropFirst(2))))
        #expect(!example.stands(in: inside.map { $0.hasSuffix("}") ? " " + $0 : $0 + "//" }))
    }
}
