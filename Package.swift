// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The tests look into optimised modules. They and their fixtures are not worth optimising themselves: they are compiled
/// in batches, on all cores. The compiler then warns that it ignores -num-threads, which the package manager adds.
let tested =
    strict + [
        .unsafeFlags(
            ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
    ]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "ticds",
    products: [
        .library(name: "Base", targets: ["Base"]),
        .library(name: "Cryptography", targets: ["Cryptography"]),
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "CoreDataStore", targets: ["CoreDataStore"]),
        .library(name: "CoreDataTools", targets: ["CoreDataTools"]),
        .library(name: "TICDSCore", targets: ["TICDSCore"]),
        .library(name: "TICDSOperations", targets: ["TICDSOperations"]),
        .library(name: "TICDSSync", targets: ["TICDSSync"]),
        .library(name: "TICDSArchive", targets: ["TICDSArchive"]),
        .library(name: "TICDSVerification", targets: ["TICDSVerification"]),
        .library(name: "TICDSRepair", targets: ["TICDSRepair"]),
        // For the fuzz targets alone.
        .library(name: "TICDSCommandLine", targets: ["TICDSCommandLine"]),
        .library(name: "TICDSFleet", targets: ["TICDSFleet"]),
        .library(name: "Rclone", targets: ["Rclone"]),
        .library(name: "TICDSDataCommands", targets: ["TICDSDataCommands"]),
        .library(name: "TestSupport", targets: ["TestSupport"]),
        // Does what the name says that it was started by. `packaging/link` makes a link to it for each name.
        .executable(name: "ticds", targets: ["ticds"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CCurl"),
        .target(name: "CSystemCalls"),
        .target(name: "CFuse"),
        // Bytes, numbers, text, dates, XML and JSON: what every target needs and none owns.
        .target(name: "Base", dependencies: [system], swiftSettings: strict),
        .target(name: "Cryptography", dependencies: ["CGcrypt"], swiftSettings: strict),
        .target(name: "KeyedArchive", dependencies: ["Base"], swiftSettings: strict),
        .target(
            name: "SystemCalls", dependencies: ["CSystemCalls", "Base", system], swiftSettings: strict
        ),
        // Trees of files that are made on request, and their mount by the kernel.
        .target(
            name: "Mounting", dependencies: ["CFuse", "Base", "SystemCalls", system], swiftSettings: strict
        ),
        .target(
            name: "CoreDataStore",
            dependencies: [
                "KeyedArchive", "Base", "SystemCalls", "CSQLite", "CZlib", "Cryptography", system,
            ],
            swiftSettings: strict),
        // What people do with a store or model of any app: examine, question, compare, export, recover.
        .target(
            name: "CoreDataTools",
            dependencies: ["CoreDataStore", "KeyedArchive", "Base", "SystemCalls", system],
            swiftSettings: strict),
        .target(
            name: "TICDSCore",
            dependencies: [
                "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "Cryptography", "CArchive", "CZlib",
                system,
            ],
            swiftSettings: strict),
        // Everything that changes a remote: plans, their planners, and the executor with its journal.
        .target(
            name: "TICDSOperations",
            dependencies: [
                "TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "Cryptography", system,
            ],
            swiftSettings: strict),
        // What a device does that synchronises: applies, records, sends and watches.
        .target(
            name: "TICDSSync",
            dependencies: [
                "TICDSOperations", "TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls",
                system,
            ],
            swiftSettings: strict),
        // Remotes in storages that rclone reaches.
        .target(
            name: "Rclone",
            dependencies: [
                "TICDSOperations", "TICDSCore", "Base", "SystemCalls", "Cryptography", "CCurl",
                "CSystemCalls", system,
            ],
            swiftSettings: strict),
        // Archives of remotes, and the rotation of dated ones.
        .target(
            name: "TICDSArchive",
            dependencies: [
                "TICDSOperations", "TICDSCore", "Base", "SystemCalls", "Cryptography",
                "CArchive", "CZlib", system,
            ],
            swiftSettings: strict),
        .target(
            name: "TICDSVerification",
            dependencies: ["TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", system],
            swiftSettings: strict),
        // Plans that repair what TICDSVerification finds.
        .target(
            name: "TICDSRepair",
            dependencies: [
                "TICDSVerification", "TICDSOperations", "TICDSCore", "KeyedArchive", "Base", "SystemCalls",
                system,
            ],
            swiftSettings: strict),
        // The remote of `ticds demo`.
        .target(
            name: "TICDSDemonstration",
            dependencies: ["TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", system],
            swiftSettings: strict),
        // Which storage an address means.
        .target(
            name: "TICDSStorages",
            dependencies: ["Rclone", "TICDSArchive", "TICDSOperations", "SystemCalls", system],
            swiftSettings: strict),
        .target(
            name: "TICDSCommandLine",
            dependencies: [
                "TICDSArchive", "TICDSStorages", "TICDSOperations", "TICDSCore", "CoreDataStore",
                "KeyedArchive", "Base", "SystemCalls", arguments, system,
            ],
            // A link to the folder `completions`.
            resources: ["bash/ticds", "zsh/_ticds", "fish/ticds.fish"].map {
                .embedInCode("Completion/Scripts/\($0)")
            },
            swiftSettings: strict),
        // Many remotes: the inventory, runs of commands over it, and the database of their results.
        .target(
            name: "TICDSFleet",
            dependencies: [
                "TICDSStorages", "TICDSOperations", "TICDSCore", "CoreDataStore", "KeyedArchive", "Base",
                "SystemCalls", "Cryptography", system,
            ],
            swiftSettings: strict),
        // What every program does, a folder for each. The programs for data are compiled beside the fleet and the checks.
        .target(
            name: "TICDSDataCommands",
            dependencies: [
                "TICDSCommandLine", "TICDSSync", "TICDSStorages", "TICDSOperations", "TICDSCore",
                "CoreDataTools", "Mounting",
                "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", arguments, system,
            ],
            swiftSettings: strict),
        .target(
            name: "TICDSCommands",
            dependencies: [
                "TICDSDataCommands", "TICDSFleet", "TICDSCommandLine", "TICDSRepair", "TICDSVerification",
                "TICDSDemonstration", "TICDSArchive", "TICDSStorages", "TICDSOperations", "TICDSCore",
                "CoreDataStore", "Mounting", "KeyedArchive", "Base", "SystemCalls", "Cryptography",
                "CArchive", "CSQLite",
                arguments, system,
            ],
            swiftSettings: strict),
        .executableTarget(name: "ticds", dependencies: ["TICDSCommands", "CSystemCalls"]),
        // Makes what Benchmarks/run measures with.
        .executableTarget(
            name: "benchmark-tools",
            dependencies: [
                "TestSupport", "TICDSDemonstration", "TICDSVerification", "TICDSCore", "KeyedArchive", "Base",
                "SystemCalls", system,
            ],
            path: "Benchmarks/Tools", swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: [
                "TICDSVerification", "TICDSDemonstration", "TICDSOperations", "TICDSCore",
                "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "CZlib", system,
            ],
            swiftSettings: tested),
        .testTarget(name: "BaseTests", dependencies: ["Base"], swiftSettings: tested),
        .testTarget(
            name: "KeyedArchiveTests", dependencies: ["KeyedArchive", "Base", "TestSupport", system],
            swiftSettings: tested),
        .testTarget(
            name: "CoreDataStoreTests",
            dependencies: [
                "CoreDataTools", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "CSQLite",
                "TestSupport", system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "CoreDataToolsTests",
            dependencies: [
                "CoreDataTools", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "TestSupport",
                system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSCoreTests",
            dependencies: [
                "TICDSArchive", "TICDSSync", "TICDSDemonstration", "TICDSOperations", "TICDSCore",
                "CoreDataTools", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls", "TestSupport",
                system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSSyncTests",
            dependencies: [
                "TICDSSync", "TICDSOperations", "TICDSCore", "CoreDataTools", "CoreDataStore", "KeyedArchive",
                "Base",
                "SystemCalls", "TestSupport", system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSArchiveTests",
            dependencies: [
                "TICDSArchive", "TICDSOperations", "TICDSCore", "KeyedArchive", "Base", "SystemCalls",
                "TestSupport",
                system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSOperationsTests",
            dependencies: [
                "TICDSOperations", "Rclone", "TICDSCore", "KeyedArchive", "Base", "SystemCalls",
                "TestSupport",
                system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "RcloneTests",
            dependencies: [
                "Rclone", "TICDSVerification", "TICDSCore", "KeyedArchive", "Base", "SystemCalls",
                "TestSupport",
                system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSVerificationTests",
            dependencies: [
                "TICDSRepair", "TICDSVerification", "TICDSDemonstration", "TICDSArchive", "TICDSSync",
                "TICDSOperations", "TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls",
                "TestSupport", system,
            ],
            swiftSettings: tested),
        .testTarget(
            name: "TICDSFleetTests",
            dependencies: ["TICDSFleet", "TICDSCore", "Base", "SystemCalls", system], swiftSettings: tested),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "TICDSDataCommands", "TICDSCommands", "Mounting", "CFuse", "TICDSFleet", "TICDSCommandLine",
                "TICDSVerification", "TICDSDemonstration", "TICDSArchive", "TICDSSync",
                "TICDSOperations", "TICDSCore", "CoreDataStore", "KeyedArchive", "Base", "SystemCalls",
                "TestSupport", arguments, system,
            ],
            exclude: ["Snapshots"], swiftSettings: tested),
    ]
)

// Nothing but the parsers and their tests, for the sanitizers: `TICDS_PARSERS=1 .ci/sanitize address`.
if Context.environment["TICDS_PARSERS"] != nil {
    let others = [
        "TICDSCommands", "TICDSDataCommands", "TICDSFleet", "TICDSCommandLine", "TICDSStorages", "TICDSSync",
        "TICDSArchive", "Rclone", "CCurl", "TICDSCoreTests", "TICDSSyncTests", "TICDSArchiveTests",
        "TICDSOperationsTests",
        "RcloneTests", "TICDSVerificationTests", "TICDSFleetTests", "CommandTests",
    ]
    package.products = []
    package.targets.removeAll { $0.type == .executable || others.contains($0.name) }
}
