// swift-tools-version: 6.2
import PackageDescription

// Built by `run`, which adds the sanitizers; it does not link without them.
let package = Package(
    name: "Fuzz",
    dependencies: [
        .package(name: "ticds", path: ".."),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer",
                .product(name: "Base", package: "ticds"),
                .product(name: "KeyedArchive", package: "ticds"),
                .product(name: "CoreDataStore", package: "ticds"),
                .product(name: "CoreDataTools", package: "ticds"),
                .product(name: "TICDSCore", package: "ticds"),
                .product(name: "TICDSOperations", package: "ticds"),
                .product(name: "TICDSArchive", package: "ticds"),
                .product(name: "TICDSVerification", package: "ticds"),
                .product(name: "TICDSCommandLine", package: "ticds"),
                .product(name: "TICDSDataCommands", package: "ticds"),
                .product(name: "TICDSFleet", package: "ticds"),
                .product(name: "Rclone", package: "ticds"),
                .product(name: "Cryptography", package: "ticds"),
                .product(name: "TestSupport", package: "ticds"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]),
    ]
)
