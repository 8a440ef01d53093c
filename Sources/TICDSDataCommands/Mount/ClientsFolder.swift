import Base
import Mounting
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// `clients`: a file for each client of the app.
struct ClientsFolder: VirtualFolder {
    let remote: MountedRemote

    var modified: FileTime {
        // try?: the time of a folder that cannot be listed does not matter
        let devices = (try? remote.now())?.snapshot.clientDevices ?? []
        return devices.compactMap { $0.deviceInfo.part?.modified }.max() ?? FileTime(seconds: 0)
    }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        let devices = moment.snapshot.clientDevices
        let names = moment.names(of: devices.map { ($0.identifier, ".json") })
        return VirtualListing(
            names, problem: moment.snapshot.gap(inNamesOf: [RemoteLayout.clientDevices]),
            isFolder: { _ in false }
        ) { [remote] in
            .file(
                ClientFile(
                    remote: remote, client: devices[$0].identifier,
                    modified: devices[$0].deviceInfo.part?.modified ?? FileTime(seconds: 0)))
        }
    }
}

/// A client as `ticds-inspect clients --json` shows it.
private struct ClientFile: VirtualFile {
    let remote: MountedRemote
    let client: RemoteName
    let modified: FileTime

    func open() throws(FileProblem) -> any VirtualContent {
        let moment = try remote.now()
        let report = RemoteReport(
            moment.snapshot, sources: ReportSources(moment.storage, keyring: moment.keyring))
        guard let device = report.clients.first(where: { $0.identifier == client }) else {
            let place = RemoteLayout.deviceInfo(of: client)
            throw FileProblem(.noSuchFileOrDirectory, path: place.filePath(under: moment.storage.root))
        }
        var json = JSONWriter(nil, layout: .indented)
        json.value(device, DeviceReport.fields)
        json.endLine()
        return SharedBytes(json.output.collected)
    }
}
