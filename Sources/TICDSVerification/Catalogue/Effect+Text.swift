extension Effect.Consequence {
    /// What it does, to be followed by whom: "blocks the synchronisation of".
    public var text: String {
        switch self {
        case .blocks: "blocks the synchronisation of"
        case .silentlyLost: "silently loses edits for"
        case .appliedTwice: "applies old edits again for"
        case .wipesUnsentEdits: "throws away the unsent edits of"
        case .crashes: "may crash"
        case .cannotRegister: "makes registration fail for"
        case .cannotUpload: "makes the upload of whole stores fail for"
        case .cannotDownload: "offers no usable whole store to"
        case .breaksLists: "breaks the lists of documents or clients for"
        case .misorders: "puts edits into the wrong order for"
        case .wrongData: "gives wrong data to"
        case .stopsVacuum: "stops the vacuum of"
        case .vacuumsTooMuch: "lets a vacuum remove sets that are still needed by"
        case .cannotRemove: "prevents the removal of"
        case .exposes: "exposes the data of"
        case .wastesSpace: "wastes the space of"
        case .notChecked: "was not checked, and may harm"
        case .harmless: "harmless to"
        }
    }
}

extension Effect.Reach {
    /// Whom it reaches, for people.
    public var text: String {
        switch self {
        case .everyone: "every client"
        case .members: "every client that is registered"
        case .everyoneElse: "every client but this one"
        case .thisClient: "this client"
        case .newClients: "clients that register from now on"
        case .nobody: "nobody"
        }
    }
}

extension Effect {
    /// "blocks the synchronisation of every client but this one"
    public var text: String {
        guard reach != .nobody else {
            return switch consequence {
            case .harmless: "harmless"
            case .wastesSpace: "wastes space"
            default: "\(consequence.text) nobody"
            }
        }
        return "\(consequence.text) \(reach.text)" + (variant?.restriction ?? "")
    }
}

extension Variant {
    /// " (Dropbox variant only)"
    public var restriction: String {
        switch self {
        case .fileManager: " (File Manager variant only)"
        case .dropbox: " (Dropbox variant only)"
        case .iCloud: " (iCloud variant only)"
        }
    }
}
