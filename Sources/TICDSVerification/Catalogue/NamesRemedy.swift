/// Lines that many remedies share.
enum NamesRemedy {
    /// Takes the file or folder of the finding out of the remote, without losing it. Each gets a new folder to itself:
    /// many strays share one name, and `mv -n` leaves the second where it is without a word.
    static let setAside =
        "mkdir -p ~/ticds-set-aside && mv -n {file} \"$(mktemp -d ~/ticds-set-aside/XXXXXX)\""

    static let makeFolder = "mkdir -p {file}"

    static let fromBackup = "Restore it from a back-up with its modification time: cp -p BACKUP {file}"

    /// Dates every change set below a folder by the time in its name; sets with other names stay as they are.
    static let timesFromNames =
        "find {file} -name '[0-9]*[.,][0-9]*-*.syncchg' -exec sh -c 'for f; do n=${f##*/}; t=${n%%-*}; "
        + "touch -d \"@$(expr \"${t%[.,]*}\" + 978307200).${t#*[.,]}\" \"$f\"; done' sh {} +"
}

extension NamesRemedy {
    /// Lines that give a client device info again, in the folder that `folder` stands for.
    static func deviceInfo(in folder: String) -> [String] {
        [
            "Restore deviceInfo.plist from a back-up (cp -p). If there is no back-up and the remote is not encrypted:",
            "printf '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
                + "<key>kTICDSClientDeviceDescription</key><string>Recovered</string></dict></plist>' "
                + "> ~/ticds-recovered.plist && mkdir -p \(folder) && "
                + "mv -n ~/ticds-recovered.plist \(folder)/deviceInfo.plist",
        ]
    }
}
