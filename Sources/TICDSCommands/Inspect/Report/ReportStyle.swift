extension ReportPage {
    /// The style: light by default, dark if the reader prefers it, and light on paper. The contrast is that of WCAG AA
    /// throughout.
    static let style = colours + letters + tables + findingsStyle + narrow + paper

    private static let colours = """
        :root { color-scheme: light dark; --ground: #f6f7f9; --sheet: #ffffff; --ink: #1b1f24; --soft: #545b66; \
        --line: #dfe3e8; --bar: #2f6fb3; --good: #1d6b3c; --error: #b3261e; --warning: #845000; --note: #4b5563; \
        --good-tint: #e7f4ec; --error-tint: #fdecea; --warning-tint: #fdf3e1; --note-tint: #eef0f3; }
        @media (prefers-color-scheme: dark) { :root { --ground: #13151a; --sheet: #1b1e24; --ink: #e9ebee; \
        --soft: #a8b0bb; --line: #333944; --bar: #76aef0; --good: #7bd79d; --error: #ff9a91; --warning: #eec071; \
        --note: #b4bdc9; --good-tint: #17301f; --error-tint: #3a1c1a; --warning-tint: #35290f; \
        --note-tint: #2a2f38; } }

        """

    private static let letters = """
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink); line-height: 1.5; \
        font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; \
        overflow-wrap: break-word; }
        main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
        header { padding: 2.5rem 0 1rem; }
        h1 { font-size: 2rem; line-height: 1.2; margin: 0.1rem 0 0.3rem; letter-spacing: -0.01em; }
        h2 { font-size: 1.25rem; margin: 0 0 0.75rem; }
        h3 { font-size: 1rem; margin: 0; }
        header p { margin: 0.15rem 0; color: var(--soft); }
        .kind { font-size: 0.85rem; }
        .place, code, pre, .identifier, .path { font-family: ui-monospace, "SF Mono", Menlo, Consolas, \
        "DejaVu Sans Mono", monospace; font-size: 0.85em; }
        h1, h3, li, p, th, pre, .identifier { overflow-wrap: anywhere; }
        .unknown, .identifier { color: var(--soft); }
        section { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; \
        padding: 1.25rem; margin: 0 0 1.25rem; }
        footer { color: var(--soft); font-size: 0.85rem; padding-bottom: 2rem; }
        .figures { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); \
        gap: 0.75rem; margin: 1.25rem 0 0.5rem; padding: 0; }
        .figures li { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; \
        padding: 0.75rem 1rem; }
        .figure { display: block; font-size: 1.5rem; font-weight: 600; line-height: 1.2; }
        .unit { color: var(--soft); font-size: 0.9rem; }
        header .verdict { display: inline-block; margin: 0.75rem 0 0; padding: 0.35rem 0.9rem; \
        border-radius: 999px; font-weight: 600; }
        .verdict.good { color: var(--good); background: var(--good-tint); }
        .verdict.error { color: var(--error); background: var(--error-tint); }
        .verdict.warning { color: var(--warning); background: var(--warning-tint); }
        .verdict.unknown { color: var(--note); background: var(--note-tint); }
        nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0.75rem 0 0; padding: 0; }
        a { color: var(--bar); }
        .verdict a { color: inherit; }
        .notes { margin: 0.75rem 0 0; padding-left: 1.2rem; color: var(--soft); font-size: 0.95rem; }

        """

    private static let tables = """
        .scroll { overflow-x: auto; margin: 0 0 1.25rem; }
        .scroll:focus-visible, pre:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
        section > .scroll:last-child { margin-bottom: 0; }
        table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
        caption { text-align: left; font-weight: 600; padding: 0 0 0.35rem; }
        th, td { text-align: left; vertical-align: top; padding: 0.45rem 1.1rem 0.45rem 0; \
        border-top: 1px solid var(--line); font-weight: normal; }
        thead th { color: var(--soft); font-size: 0.85rem; vertical-align: bottom; border-top: 0; \
        overflow-wrap: normal; }
        tbody th { font-weight: 600; min-width: 9rem; }
        th:last-child, td:last-child { padding-right: 0; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        time { white-space: nowrap; font-variant-numeric: tabular-nums; }
        .identifier { display: block; font-weight: normal; }
        th.share { width: 9rem; }
        td.share { vertical-align: middle; }
        svg.share { display: block; width: 100%; height: 0.6rem; border-radius: 3px; background: var(--note-tint); }
        svg.share rect { fill: var(--bar); }
        .picture svg { display: block; width: 100%; min-width: 44rem; height: auto; }

        """

    private static let findingsStyle = """
        .finding { border: 1px solid var(--line); border-left: 4px solid var(--note); border-radius: 8px; \
        padding: 0.8rem 1rem; margin: 0 0 0.8rem; }
        .finding.error { border-left-color: var(--error); }
        .finding.warning { border-left-color: var(--warning); }
        .finding p { margin: 0.35rem 0 0; }
        .code { color: var(--soft); font-size: 0.9rem; }
        .severity { display: inline-block; padding: 0 0.55rem; border-radius: 999px; font-size: 0.8rem; \
        font-weight: 600; color: var(--note); background: var(--note-tint); }
        .severity.error { color: var(--error); background: var(--error-tint); }
        .severity.warning { color: var(--warning); background: var(--warning-tint); }
        .places, .effects { margin: 0.35rem 0 0; padding-left: 1.2rem; font-size: 0.95rem; }
        summary { margin: 0.35rem 0 0; cursor: pointer; color: var(--soft); }
        pre { margin: 0.35rem 0 0; padding: 0.6rem 0.8rem; background: var(--note-tint); border-radius: 6px; \
        overflow-x: auto; white-space: pre-wrap; }

        """

    private static let narrow = """
        @media screen and (max-width: 50rem) {
        main, footer { padding: 0 0.75rem; }
        header { padding-top: 1.25rem; }
        h1 { font-size: 1.5rem; }
        section { padding: 1rem; }
        .figures { grid-template-columns: 1fr 1fr; }
        thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        table, caption, tbody, tr, th, td { display: block; }
        tr { border-top: 1px solid var(--line); padding: 0.6rem 0; }
        tbody th, tbody td { border: 0; padding: 0.1rem 0; }
        tbody td { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.75rem; \
        text-align: left; white-space: normal; overflow-wrap: anywhere; }
        tbody td::before { content: attr(data-label); color: var(--soft); }
        tbody td.number { text-align: left; }
        svg.share { align-self: center; }
        }

        """

    private static let paper = """
        @media print {
        :root { color-scheme: light; --ground: #ffffff; --sheet: #ffffff; --ink: #000000; --soft: #454b54; \
        --line: #c9ced6; --bar: #2f6fb3; --good: #1d6b3c; --error: #b3261e; --warning: #845000; --note: #4b5563; \
        --good-tint: #ffffff; --error-tint: #ffffff; --warning-tint: #ffffff; --note-tint: #f1f3f5; }
        @page { margin: 12mm; }
        body { font-size: 8.5pt; line-height: 1.35; }
        nav { display: none; }
        main, footer { max-width: none; padding: 0; }
        header { padding: 0; }
        h1 { font-size: 1.5rem; }
        section { border: 0; padding: 0; border-radius: 0; margin: 0 0 1rem; }
        .figures { margin: 0.5rem 0 0.75rem; gap: 0.5rem; }
        .figures li { padding: 0.3rem 0.6rem; }
        .figure { font-size: 1.1rem; }
        .finding { padding: 0.4rem 0.6rem; margin: 0 0 0.5rem; }
        .finding p, .places, pre { margin-top: 0.2rem; }
        pre { padding: 0.3rem 0.5rem; }
        .place, code, pre, .identifier, .path { font-size: 8pt; }
        .scroll { overflow: visible; margin: 0 0 0.75rem; }
        th, td { padding: 0.15rem 0.7rem 0.15rem 0; }
        tbody th { min-width: 7rem; }
        th.share { width: 6rem; }
        .figures li, tr, .picture { break-inside: avoid; }
        h2, h3, caption, thead { break-after: avoid; }
        thead { display: table-header-group; }
        .picture svg { min-width: 0; }
        a { color: inherit; text-decoration: none; }
        }
        """
}
