// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

/// One executable of the suite: argument definitions over the shared command-line room.
func executable(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ["TICDSCommandLine", "TICDSCore", arguments, system] + dependencies,
        swiftSettings: strict)
}

let package = Package(
    name: "ticds",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "CoreDataStore", targets: ["CoreDataStore"]),
        .library(name: "TICDSCore", targets: ["TICDSCore"]),
        .library(name: "TICDSArchives", targets: ["TICDSArchives"]),
        .library(name: "TICDSVerification", targets: ["TICDSVerification"]),
        .executable(name: "ticds", targets: ["ticds"]),
        .executable(name: "ticds-inspect", targets: ["ticds-inspect"]),
        .executable(name: "ticds-changes", targets: ["ticds-changes"]),
        .executable(name: "ticds-store", targets: ["ticds-store"]),
        .executable(name: "ticds-verify", targets: ["ticds-verify"]),
        .executable(name: "ticds-vacuum", targets: ["ticds-vacuum"]),
        .executable(name: "ticds-journal", targets: ["ticds-journal"]),
        .executable(name: "ticds-integrity", targets: ["ticds-integrity"]),
        .executable(name: "ticds-remote", targets: ["ticds-remote"]),
        .executable(name: "ticds-client", targets: ["ticds-client"]),
        .executable(name: "ticds-document", targets: ["ticds-document"]),
        .executable(name: "ticds-archive", targets: ["ticds-archive"]),
        .executable(name: "ticds-sync", targets: ["ticds-sync"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSystemCalls"),
        .target(name: "KeyedArchive", swiftSettings: strict),
        .target(
            name: "SystemCalls", dependencies: ["CSystemCalls", "KeyedArchive", system], swiftSettings: strict
        ),
        .target(
            name: "CoreDataStore",
            dependencies: ["KeyedArchive", "SystemCalls", "CSQLite", crypto, system],
            swiftSettings: strict),
        .target(
            name: "TICDSCore",
            dependencies: ["CoreDataStore", "KeyedArchive", "SystemCalls", crypto, cryptoExtras, system],
            swiftSettings: strict),
        // Apart from the core, because loading libarchive takes more time than most commands need in all.
        .target(
            name: "TICDSArchives",
            dependencies: [
                "TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls", "CArchive", crypto, system,
            ],
            swiftSettings: strict),
        .target(
            name: "TICDSVerification",
            dependencies: [
                "TICDSArchives", "TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls", crypto, system,
            ],
            swiftSettings: strict),
        .target(
            name: "TICDSCommandLine",
            dependencies: ["TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls", arguments, system],
            swiftSettings: strict),
        // What the programs share that read and write archives; apart for the same reason.
        .target(
            name: "ArchiveCommandLine",
            dependencies: [
                "TICDSCommandLine", "TICDSArchives", "TICDSCore", "SystemCalls", arguments, system,
            ],
            swiftSettings: strict),
        executable("ticds", ["CSQLite", "SystemCalls"]),
        executable("ticds-inspect", ["SystemCalls", crypto]),
        executable("ticds-changes", ["KeyedArchive"]),
        executable("ticds-store", ["TICDSArchives", "CoreDataStore", "KeyedArchive", "SystemCalls"]),
        executable("ticds-journal", ["SystemCalls"]),
        executable("ticds-vacuum", ["SystemCalls"]),
        executable("ticds-verify", ["TICDSVerification", "KeyedArchive", "SystemCalls"]),
        executable("ticds-integrity", ["KeyedArchive", "SystemCalls"]),
        executable("ticds-remote", ["ArchiveCommandLine", "TICDSArchives", "SystemCalls"]),
        executable("ticds-client", ["SystemCalls"]),
        executable("ticds-document", ["SystemCalls"]),
        executable("ticds-archive", ["ArchiveCommandLine", "TICDSArchives", "SystemCalls"]),
        executable("ticds-sync", ["TICDSArchives", "CoreDataStore", "KeyedArchive", "SystemCalls"]),
        .target(
            name: "TestSupport",
            dependencies: [
                "TICDSVerification", "TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls", system,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "KeyedArchiveTests", dependencies: ["KeyedArchive", "TestSupport", system],
            swiftSettings: strict),
        .testTarget(
            name: "CoreDataStoreTests",
            dependencies: ["CoreDataStore", "KeyedArchive", "SystemCalls", "CSQLite", "TestSupport", system],
            swiftSettings: strict),
        .testTarget(
            name: "TICDSCoreTests",
            dependencies: [
                "TICDSArchives", "TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls", "TestSupport",
                system,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TICDSVerificationTests",
            dependencies: [
                "TICDSVerification", "TICDSArchives", "TICDSCore", "CoreDataStore", "KeyedArchive",
                "SystemCalls", "TestSupport", system,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "TICDSCommandLine", "TICDSCore", "CoreDataStore", "KeyedArchive", "SystemCalls",
                "TestSupport", system,
                arguments,
                "ticds", "ticds-inspect", "ticds-changes", "ticds-store",
                "ticds-verify", "TICDSVerification",
                "ticds-journal",
                "ticds-integrity",
                "ticds-remote",
                "ticds-vacuum",
                "ticds-client",
                "ticds-document",
                "ticds-archive", "TICDSArchives",
                "ticds-sync",
            ],
            exclude: ["Snapshots"], swiftSettings: strict),
    ]
)
