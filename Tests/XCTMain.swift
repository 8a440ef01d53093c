import Glibc
import Testing

/// Runs the tests. Without this file the package manager searches for XCTest tests, of which there are none, in the
/// compiler's index, which takes a twentieth of the build time.
@main
struct Runner {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else {
            print("These are tests of Swift Testing: swift test --enable-swift-testing --disable-xctest")
            exit(2)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
