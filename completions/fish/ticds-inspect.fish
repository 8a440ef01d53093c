function __ticds-inspect_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-inspect_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-inspect_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-inspect_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-inspect_parse_tokens -S
    set -l unparsed_tokens (__ticds-inspect_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-inspect'
        __ticds-inspect_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'status'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'tree'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'type=' 'since=' 'until=' 'sort=' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'documents'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'clients'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'stores'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'timeline'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'since=' 'until=' 'svg=' 'version' 'h/help'
        case 'report'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'html=' 'level=' 'version' 'h/help'
        case 'metrics'
            __ticds-inspect_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'to=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-inspect_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-inspect_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-inspect_parse_subcommand -S -a positional_count
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

function __ticds-inspect_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-inspect_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-inspect_tokens -p)
    if test -z "$(__ticds-inspect_tokens -t)"
        set -l index (count (__ticds-inspect_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-inspect' -f
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'status' -d 'Shows the remote at a glance.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'tree' -d 'Lists every file and folder with its role, size and time.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'documents' -d 'Lists the documents, including deleted ones.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'clients' -d 'Lists the clients of the remote and of each document.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'stores' -d 'Lists the whole stores that clients uploaded.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'timeline' -d 'Draws when each client was active and how many change sets it wrote.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'report' -d 'Writes a page for a browser: status, timeline, findings, sizes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'metrics' -d 'Prints numbers about the remote for Prometheus.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect status" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion status -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion status -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion status -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect tree" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion tree -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion tree -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion tree -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" type' -l 'type' -d 'Show only entries of this kind, such as changeSet, wholeStore or folder.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" sort' -l 'sort' -d 'Sort by size, the largest first, or by modification time, the latest first.' -rfka 'size modified'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect tree" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect documents" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion documents -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion documents -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion documents -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect documents" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect clients" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion clients -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion clients -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion clients -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect clients" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect stores" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion stores -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion stores -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion stores -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect stores" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect timeline" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion timeline -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion timeline -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion timeline -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" since' -l 'since' -d 'Begin at this time. Default: the first change set.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" until' -l 'until' -d 'End before this time. Default: the last activity.' -rfka ''
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" svg' -l 'svg' -d 'Write the picture to this file as SVG instead.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'svg\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect timeline" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect report" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion report -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion report -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion report -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" html' -l 'html' -d 'The file to write.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'html\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" level' -l 'level' -d 'The level of the verification.' -rfka 'none names headers contents deep'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect report" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_positional "ticds-inspect metrics" -eq 1' -fka '(__ticds-inspect_custom_completion ---completion metrics -- positional@0 (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-inspect_custom_completion ---completion metrics -- --document (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-inspect_custom_completion ---completion metrics -- --client (count (__ticds-inspect_tokens -pc)) (__ticds-inspect_tokens -tC))'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" to' -l 'to' -d 'Write the metrics to this file in one step, for the textfile collector, and print nothing.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'prom\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect metrics" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-inspect' -n '__ticds-inspect_should_offer_completions_for_flags_or_options "ticds-inspect help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-inspect_tokens
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

function __ticds-inspect_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-inspect_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-inspect_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-inspect_tokens -pc)
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

