import SystemCalls
import TICDSCore

/// Looks for clients of the application with the same description, which may be one device.
enum DevicesCheck: RemoteCheck {
    static func findings(_ context: VerificationContext) -> [Finding] {
        let devices = context.snapshot.clientDevices.compactMap { device in
            device.deviceInfo.flatMap { info($0.path, context) }.map { (device.identifier, $0) }
        }
        return DeviceDuplicate.withSameDescription(devices).compactMap { duplicate in
            guard let first = duplicate.clients.first else { return nil }
            let others = duplicate.clients.dropFirst().map(\.description).joined(separator: ", ")
            return context.finding(
                .deviceTwice, at: [RemoteLayout.clientDevices, first], client: first,
                expected: "one client for each device", found: "the same description in \(others)")
        }
    }

    /// Nil for a file that cannot be read; the file has a finding of its own.
    private static func info(_ file: RemotePath, _ context: VerificationContext) -> DeviceInfo? {
        context.attempt(file) { () throws(FileProblem) in
            try DeviceInfo(
                context.keyring.read(context.storage, file, limit: .propertyList),
                path: file.filePath(under: context.root))
        }
    }
}
