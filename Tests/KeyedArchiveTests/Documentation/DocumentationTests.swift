import TestSupport
import Testing

/// What is said about the module.
@Suite struct DocumentationTests {
    /// So that no example of an article tells what does not compile or is not so.
    @Test func examplesAreThoseOfTests() throws {
        let sources = try SourceTree.files(
            below: "Tests/KeyedArchiveTests/Documentation", suffix: "Examples.swift"
        ).map { try SourceTree.lines(of: $0) }
        let examples = try ArticleExample.all(of: "KeyedArchive")
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(sources.contains { example.stands(in: $0) }, "\(example)")
        }
    }
}
