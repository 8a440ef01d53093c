/// What `ticds-verify --repair` does about a kind of finding. Every kind of the catalogue says one.
public enum Repair: String, Sendable, Hashable, CaseIterable {
    /// Nothing: a person, a client or a back-up has to help.
    case byHand
    /// The entry moves to the trash.
    case trash
    /// A copy moves to the trash once its original is known to hold all that it holds.
    case copy
    /// A link moves to the trash unless it stands for something of the framework's.
    case link
    /// The entry moves to the trash, and what belongs in its place is made.
    case place
    /// A folder is made.
    case folder
    /// A property list is made from what is known.
    case information
    /// The file to test a password with is made anew.
    case encryptionTest
    /// An unreadable file moves to the trash, or is made anew where that can be.
    case quarantine
    /// A client's whole store moves to the trash while there is another.
    case wholeStore
    /// What a broken removal left moves to the trash.
    case removal
    /// All integrity keys but one move to the trash.
    case integrityKey
    /// A modification time is set.
    case time
    /// Change sets are dated by the times in their names.
    case timesFromNames
    /// A file is encrypted anew with the key of the remote.
    case encrypt
    /// A file is decrypted.
    case decrypt

    /// What is done, as a sentence; nil where nothing is.
    public var text: String? {
        switch self {
        case .byHand: nil
        case .trash: "Moves it to the trash."
        case .copy: "Moves the copy to the trash, if the original contains everything that the copy contains."
        case .link:
            "Moves the link to the trash, unless it takes the place of a file or folder of the framework."
        case .place: "Moves it to the trash, and makes what belongs in its place, if that is known."
        case .folder: "Makes the folder, and the folders that belong in it."
        case .information:
            "Makes the property list from a tombstone, or from other information in the remote."
        case .encryptionTest: "Makes the file anew, if the given password opens other files of the remote."
        case .quarantine:
            "Moves a change set to the trash, and also a whole store if the document has another one; makes a property list anew; leaves other files alone."
        case .wholeStore: "Moves the client's whole store to the trash, if the document has another one."
        case .removal: "Moves what the removal left to the trash."
        case .integrityKey:
            "Keeps the key that the clients most likely know, and moves the others to the trash."
        case .time: "Sets the time."
        case .timesFromNames: "Sets the times of change sets to the times in their names."
        case .encrypt: "Encrypts the file anew with the key of the remote, and keeps its time."
        case .decrypt: "Decrypts the file, and keeps its time."
        }
    }
}
