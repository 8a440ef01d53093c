extension TimelinePicture {
    /// Colours and letters. Contrast is that of WCAG AA in light and dark.
    static let style = """
        .timeline { --ground: #ffffff; --ink: #1b1f24; --soft: #545b66; --line: #e3e6ea; --axis: #aab1bb; \
        --bar: #2f6fb3; --sync: #1d7a45; --store: #8a5200; --gone: #b3261e;
        font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
        @media (prefers-color-scheme: dark) { .timeline { --ground: #1b1e24; --ink: #e9ebee; --soft: #a8b0bb; \
        --line: #2c313a; --axis: #5b6472; --bar: #76aef0; --sync: #6fce93; --store: #eab45e; --gone: #ff8d83; } }
        @media print { .timeline { --ground: #ffffff; --ink: #1b1f24; --soft: #545b66; --line: #e3e6ea; \
        --axis: #aab1bb; --bar: #2f6fb3; --sync: #1d7a45; --store: #8a5200; --gone: #b3261e; } }
        .timeline .ground { fill: var(--ground); }
        .timeline text { fill: var(--ink); unicode-bidi: isolate; }
        .timeline .heading { font-size: 15px; font-weight: 600; }
        .timeline .name { font-size: 14px; font-weight: 600; }
        .timeline .detail, .timeline .axis { font-size: 12px; fill: var(--soft); }
        .timeline .grid, .timeline .rule { stroke: var(--line); stroke-width: 1; }
        .timeline .base { stroke: var(--axis); stroke-width: 1; }
        .timeline .bar { fill: var(--bar); }
        .timeline .lastSync { fill: var(--sync); }
        .timeline .wholeStore { fill: var(--store); }
        .timeline .deleted { fill: none; stroke: var(--gone); stroke-width: 2.5; }
        """
}
