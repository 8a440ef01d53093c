// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ticds", path: ".."),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .executableTarget(
            name: "archive-read",
            dependencies: [
                .product(name: "KeyedArchive", package: "ticds"),
                .product(name: "TICDSCore", package: "ticds"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "make-replay",
            dependencies: [
                .product(name: "KeyedArchive", package: "ticds"),
                .product(name: "TICDSCore", package: "ticds"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "make-sealed",
            dependencies: [
                .product(name: "KeyedArchive", package: "ticds"),
                .product(name: "TICDSCore", package: "ticds"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "make-changes",
            dependencies: [
                .product(name: "KeyedArchive", package: "ticds"),
                .product(name: "TICDSCore", package: "ticds"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
    ]
)
