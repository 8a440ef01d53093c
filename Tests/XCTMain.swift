import Testing

/// Runs the tests. Without this file the package manager looks for tests of XCTest, of which there are none, in the
/// compiler's index, whose making takes a twentieth of the build. `swift test` starts the program once for each library.
@main
struct Runner {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
