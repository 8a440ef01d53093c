function __ticds-journal_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-journal_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-journal_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-journal_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-journal_parse_tokens -S
    set -l unparsed_tokens (__ticds-journal_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-journal'
        __ticds-journal_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __ticds-journal_parse_subcommand 1 'kind=' 'since=' 'until=' 'limit=' 'all' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'show'
            __ticds-journal_parse_subcommand -r 1 'last' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'apply'
            __ticds-journal_parse_subcommand 1 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'undo'
            __ticds-journal_parse_subcommand -r 1 'last' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'recover'
            __ticds-journal_parse_subcommand 1 'forward' 'back' 'leave' 'state=' 'n/dry-run' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'prune'
            __ticds-journal_parse_subcommand 1 'older-than=' 'larger-than=' 'copies' 'n/dry-run' 'y/yes' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-journal_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-journal_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-journal_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __ticds-journal_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-journal_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-journal_tokens -p)
    if test -z "$(__ticds-journal_tokens -t)"
        set -l index (count (__ticds-journal_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-journal' -f
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'list' -d 'Lists what was changed, newest first.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'show' -d 'Shows one operation: who, when, and every action.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'apply' -d 'Carries out a plan that was saved with --save-plan, exactly.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'undo' -d 'Undoes an operation: every byte and every time is as it was.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'recover' -d 'Ends operations that a crash or a power failure interrupted.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'prune' -d 'Deletes the trash of old operations permanently, and removes unfinished copies.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal list" -eq 1' -fa '(__ticds-journal_complete_directories)'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" kind' -l 'kind' -d 'Only what this command did: its name or the beginning of it, such as vacuum or \'client delete\'.' -rfka 'archive client document integrity remote sync vacuum verify'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" all' -l 'all' -d 'List each run of ticds-sync. By default, runs that follow each other are one line.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal show" -ge 1' -fka '(__ticds-journal_custom_completion ---completion show -- positional@0 (count (__ticds-journal_tokens -pc)) (__ticds-journal_tokens -tC))'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" last' -l 'last' -d 'In place of a number: the last operation that is done and neither was undone nor undid another; runs of ticds-sync do not count.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal apply" -eq 1' -F
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal apply" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal undo" -ge 1' -fka '(__ticds-journal_custom_completion ---completion undo -- positional@0 (count (__ticds-journal_tokens -pc)) (__ticds-journal_tokens -tC))'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" last' -l 'last' -d 'In place of a number: the last operation that is done and neither was undone nor undid another; runs of ticds-sync do not count.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal undo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal recover" -eq 1' -fa '(__ticds-journal_complete_directories)'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" forward' -l 'forward' -d 'Complete the operation, or refuse.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" back' -l 'back' -d 'Undo what was done.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" leave' -l 'leave' -d 'Keep what was done, and leave in the trash what was removed; for operations that can be neither completed nor undone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" state' -l 'state' -d 'Use the journal of another state home: the folder that XDG_STATE_HOME named when the operation began, such as ~/.local/state of another user.' -rfa '(__ticds-journal_complete_directories)'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" dry-run n' -l 'dry-run' -s 'n' -d 'List what was interrupted, and change nothing.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal recover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_positional "ticds-journal prune" -eq 1' -fa '(__ticds-journal_complete_directories)'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" older-than' -l 'older-than' -d 'Choose operations that ended before this time, such as 30d (ago).' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" larger-than' -l 'larger-than' -d 'Choose the oldest operations until the trash of a remote is no larger than this, such as 500M or 10G.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" copies' -l 'copies' -d 'Choose the files of interrupted copies; with --older-than, only of those that ended before.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be deleted, and change nothing.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal prune" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-journal' -n '__ticds-journal_should_offer_completions_for_flags_or_options "ticds-journal help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-journal_tokens
    if contains -- -tC $argv
        echo 0
        return
    end
    set -l tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        set tokens (commandline --tokens-expanded $argv)
    else
        set tokens (commandline -o $argv)
    end
    test (count $tokens) -gt 0; and printf '%s\n' $tokens
end

function __ticds-journal_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-journal_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-journal_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-journal_tokens -pc)
    set -l program $__ticds_program
    if test (count $program) -eq 0
        set program (string replace -r '^~/' "$HOME/" -- $words[1])
    end
    set -l end (math (contains -i -- -- $argv) + 1)
    for line in (command $program $argv[..$end] 0 0 $words (commandline -ct) 2>/dev/null </dev/null)
        switch $line
            case /directories
                __fish_complete_directories (commandline -ct) ''
            case /files
                __fish_complete_path (commandline -ct)
            case '*'
                printf '%s\n' $line
        end
    end
end

