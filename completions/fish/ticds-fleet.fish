function __ticds-fleet_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-fleet_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-fleet_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-fleet_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-fleet_parse_tokens -S
    set -l unparsed_tokens (__ticds-fleet_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-fleet'
        __ticds-fleet_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'scan'
            __ticds-fleet_parse_subcommand -r 1 'inventory=' 'tag=+' 'password-file=' 'password-command=' 'depth=' 'prune' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'add'
            __ticds-fleet_parse_subcommand -r 1 'inventory=' 'tag=+' 'password-file=' 'password-command=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'remove'
            __ticds-fleet_parse_subcommand 0 'inventory=' 'tag=+' 'application=+' 'id=+' 'sample=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'tag'
            __ticds-fleet_parse_subcommand -r 1 'inventory=' 'tag=+' 'application=+' 'id=+' 'sample=' 'remove' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'list'
            __ticds-fleet_parse_subcommand 0 'inventory=' 'tag=+' 'application=+' 'id=+' 'sample=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'run'
            __ticds-fleet_parse_subcommand -r 1 'inventory=' 'tag=+' 'application=+' 'id=+' 'sample=' 'engine=' 'jobs=' 'shards=' 'sshlogin=+' 'engine-option=+' 'resume' 'wait' 'again=' 'n/dry-run' 'timeout=' 'memory=' 'max-output=' 'attempts=' 'max-failures=' 'to=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'work'
            __ticds-fleet_parse_subcommand 1 'shard=' 'jobs=' 'stage=' 'again=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'status'
            __ticds-fleet_parse_subcommand 1 'stage=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'merge'
            __ticds-fleet_parse_subcommand -r 1 'to=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'query'
            __ticds-fleet_parse_subcommand 1 'sql=' 'database=' 'limit=' 'show-sql' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'report'
            __ticds-fleet_parse_subcommand 0 'database=' 'html=' 'link=' 'title=' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'metrics'
            __ticds-fleet_parse_subcommand 0 'database=' 'to=' 'each' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'plan'
            __ticds-fleet_parse_subcommand -r 1 'inventory=' 'tag=+' 'application=+' 'id=+' 'sample=' 'engine=' 'jobs=' 'shards=' 'sshlogin=+' 'engine-option=+' 'resume' 'wait' 'again=' 'n/dry-run' 'timeout=' 'memory=' 'max-output=' 'attempts=' 'max-failures=' 'to=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'review'
            __ticds-fleet_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'apply'
            __ticds-fleet_parse_subcommand 1 'engine=' 'jobs=' 'shards=' 'sshlogin=+' 'engine-option=+' 'resume' 'wait' 'again=' 'n/dry-run' 'canary=' 'max-failures=' 'max-delete=' 'y/yes' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'undo'
            __ticds-fleet_parse_subcommand 1 'engine=' 'jobs=' 'shards=' 'sshlogin=+' 'engine-option=+' 'resume' 'wait' 'again=' 'n/dry-run' 'y/yes' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-fleet_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-fleet_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-fleet_parse_subcommand -S -a positional_count
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

function __ticds-fleet_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-fleet_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-fleet_tokens -p)
    if test -z "$(__ticds-fleet_tokens -t)"
        set -l index (count (__ticds-fleet_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-fleet' -f
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'scan' -d 'Searches folders for remotes, and adds them to the inventory.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'add' -d 'Adds remotes to the inventory.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'remove' -d 'Removes remotes from the inventory. The remotes themselves stay as they are.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'tag' -d 'Gives remotes of the inventory tags, or takes tags away.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'list' -d 'Lists the remotes of the inventory.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'run' -d 'Runs a reading command over the remotes of the inventory.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'work' -d 'Does a shard of a run that was prepared. Engines call it.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'status' -d 'Shows how far a run is, and what became of the remotes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'merge' -d 'Puts the results of runs into an SQLite file.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'query' -d 'Answers a question about the fleet.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'report' -d 'Writes a page for a browser about the whole fleet.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'metrics' -d 'Prints numbers about the fleet for Prometheus.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'plan' -d 'Makes a saved plan of a changing command for each remote, and changes nothing.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'review' -d 'Sums up the plans of a run: what goes, how much, and which remotes refuse and why.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'apply' -d 'Carries out the plans of a run, a few remotes first.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'undo' -d 'Takes back what apply did, on each remote.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet scan" -ge 1' -fka '(__ticds-fleet_custom_completion ---completion scan -- positional@0 (count (__ticds-fleet_tokens -pc)) (__ticds-fleet_tokens -tC))'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan"' -l 'tag' -d 'Give the remotes this tag. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" password-file' -l 'password-file' -d 'Note for the remotes that their password is in this file. The file is not read now.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" password-command' -l 'password-command' -d 'Note for the remotes that this command line prints their password. It is not run now.' -rfka '(__fish_complete_command)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" depth' -l 'depth' -d 'Search this many levels of folders below each.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" prune' -l 'prune' -d 'Remove remotes from the inventory that were below the folders and are not there any more.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet scan" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet add" -ge 1' -fka '(__ticds-fleet_custom_completion ---completion add -- positional@0 (count (__ticds-fleet_tokens -pc)) (__ticds-fleet_tokens -tC))'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add"' -l 'tag' -d 'Give the remotes this tag. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" password-file' -l 'password-file' -d 'Note for the remotes that their password is in this file. The file is not read now.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" password-command' -l 'password-command' -d 'Note for the remotes that this command line prints their password. It is not run now.' -rfka '(__fish_complete_command)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove"' -l 'tag' -d 'Only remotes with this tag. If given several times, with each of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove"' -l 'application' -d 'Only remotes of this application. If given several times, of any of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove"' -l 'id' -d 'Only the remote with this identifier, or the beginning of it. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" sample' -l 'sample' -d 'Use a fixed random sample of this many remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag"' -l 'tag' -d 'Only remotes with this tag. If given several times, with each of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag"' -l 'application' -d 'Only remotes of this application. If given several times, of any of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag"' -l 'id' -d 'Only the remote with this identifier, or the beginning of it. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" sample' -l 'sample' -d 'Use a fixed random sample of this many remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" remove' -l 'remove' -d 'Take the tags away.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet tag" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list"' -l 'tag' -d 'Only remotes with this tag. If given several times, with each of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list"' -l 'application' -d 'Only remotes of this application. If given several times, of any of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list"' -l 'id' -d 'Only the remote with this identifier, or the beginning of it. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" sample' -l 'sample' -d 'Use a fixed random sample of this many remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run"' -l 'tag' -d 'Only remotes with this tag. If given several times, with each of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run"' -l 'application' -d 'Only remotes of this application. If given several times, of any of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run"' -l 'id' -d 'Only the remote with this identifier, or the beginning of it. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" sample' -l 'sample' -d 'Use a fixed random sample of this many remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" engine' -l 'engine' -d 'Who gives the shards to workers: this program, GNU parallel, or Slurm.' -rfka 'local parallel slurm'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" jobs' -l 'jobs' -d 'Work on this many remotes at a time: in this process, on each machine of GNU parallel, or in each task of Slurm. Default: one for each core; 1 with Slurm.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" shards' -l 'shards' -d 'Divide the remotes into this many shards. Default: 1, or one for about 100 remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run"' -l 'sshlogin' -d 'With GNU parallel: run on this host (passed on as --sshlogin). May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run"' -l 'engine-option' -d 'Give this word to parallel or sbatch, such as --engine-option=--mem=4G. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" resume' -l 'resume' -d 'With GNU parallel: do only shards that failed or did not begin (--resume-failed).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" wait' -l 'wait' -d 'With Slurm: wait for the end of the job.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" again' -l 'again' -d 'Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all.' -rfka 'changed never all'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" dry-run n' -l 'dry-run' -s 'n' -d 'Prepare the run, print the command line of the engine, and begin nothing.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" timeout' -l 'timeout' -d 'Give each remote so much time, such as 90s or 10m. Default: 10m.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" memory' -l 'memory' -d 'Give each remote so much address space, such as 500M or 8G. Default: 4G.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" max-output' -l 'max-output' -d 'Take at most so much output of each remote, such as 5M. Default: 64M.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" attempts' -l 'attempts' -d 'Give up on an unchanged remote after this many failures. Default: 3.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" max-failures' -l 'max-failures' -d 'Stop a shard with more failures than this number or percentage: N or N%.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" to' -l 'to' -d 'The folder of the run, or a name for it below the state folder. Default: the name of the command, such as verify or changes-stats.' -rfa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet work" -eq 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" shard' -l 'shard' -d 'The shard, and the number of shards.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" jobs' -l 'jobs' -d 'Work on this many remotes at a time. Default: one for each core.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" stage' -l 'stage' -d 'What is done with each remote: the command of the run, or carrying out its plan, or taking that back.' -rfka 'envelopes applied undone'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" again' -l 'again' -d 'Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all.' -rfka 'changed never all'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet work" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet status" -eq 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" stage' -l 'stage' -d 'What is done with each remote: the command of the run, or carrying out its plan, or taking that back.' -rfka 'envelopes applied undone'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet merge" -ge 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" to' -l 'to' -d 'The database, which is made if it does not exist.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'sqlite\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet merge" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet query" -eq 1' -fka 'states failures worst findings lag stale growth sizes applications models versions costs'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" sql' -l 'sql' -d 'A SELECT statement of your own. ticds-fleet(7) describes the tables.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" database' -l 'database' -d 'The database that ticds-fleet merge wrote.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'sqlite\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" limit' -l 'limit' -d 'Print at most this many rows. 0 prints all.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" show-sql' -l 'show-sql' -d 'Print the statement of the question, for another program.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet query" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" database' -l 'database' -d 'The database that ticds-fleet merge wrote.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'sqlite\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" html' -l 'html' -d 'The file to write.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'html\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" link' -l 'link' -d 'Where the page of a remote is, relative to this one; {id} stands for its identifier.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" title' -l 'title' -d 'The title of the page. Default: the name of the database.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" limit' -l 'limit' -d 'Show at most this many remotes in each list.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet report" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" database' -l 'database' -d 'The database that ticds-fleet merge wrote.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'sqlite\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" to' -l 'to' -d 'Write the metrics to this file in one step, for the textfile collector, and print nothing.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'prom\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" each' -l 'each' -d 'Also print metrics for each remote.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet metrics" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" inventory' -l 'inventory' -d 'The inventory. Default: fleet/inventory.jsonl in the state folder of the suite.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan"' -l 'tag' -d 'Only remotes with this tag. If given several times, with each of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan"' -l 'application' -d 'Only remotes of this application. If given several times, of any of them.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan"' -l 'id' -d 'Only the remote with this identifier, or the beginning of it. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" sample' -l 'sample' -d 'Use a fixed random sample of this many remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" engine' -l 'engine' -d 'Who gives the shards to workers: this program, GNU parallel, or Slurm.' -rfka 'local parallel slurm'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" jobs' -l 'jobs' -d 'Work on this many remotes at a time: in this process, on each machine of GNU parallel, or in each task of Slurm. Default: one for each core; 1 with Slurm.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" shards' -l 'shards' -d 'Divide the remotes into this many shards. Default: 1, or one for about 100 remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan"' -l 'sshlogin' -d 'With GNU parallel: run on this host (passed on as --sshlogin). May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan"' -l 'engine-option' -d 'Give this word to parallel or sbatch, such as --engine-option=--mem=4G. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" resume' -l 'resume' -d 'With GNU parallel: do only shards that failed or did not begin (--resume-failed).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" wait' -l 'wait' -d 'With Slurm: wait for the end of the job.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" again' -l 'again' -d 'Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all.' -rfka 'changed never all'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" dry-run n' -l 'dry-run' -s 'n' -d 'Prepare the run, print the command line of the engine, and begin nothing.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" timeout' -l 'timeout' -d 'Give each remote so much time, such as 90s or 10m. Default: 10m.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" memory' -l 'memory' -d 'Give each remote so much address space, such as 500M or 8G. Default: 4G.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" max-output' -l 'max-output' -d 'Take at most so much output of each remote, such as 5M. Default: 64M.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" attempts' -l 'attempts' -d 'Give up on an unchanged remote after this many failures. Default: 3.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" max-failures' -l 'max-failures' -d 'Stop a shard with more failures than this number or percentage: N or N%.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" to' -l 'to' -d 'The folder of the run, or a name for it below the state folder. Default: the name of the command after plan-, such as plan-vacuum.' -rfa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet plan" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet review" -eq 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet review" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet apply" -eq 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" engine' -l 'engine' -d 'Who gives the shards to workers: this program, GNU parallel, or Slurm.' -rfka 'local parallel slurm'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" jobs' -l 'jobs' -d 'Work on this many remotes at a time: in this process, on each machine of GNU parallel, or in each task of Slurm. Default: one for each core; 1 with Slurm.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" shards' -l 'shards' -d 'Divide the remotes into this many shards. Default: 1, or one for about 100 remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply"' -l 'sshlogin' -d 'With GNU parallel: run on this host (passed on as --sshlogin). May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply"' -l 'engine-option' -d 'Give this word to parallel or sbatch, such as --engine-option=--mem=4G. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" resume' -l 'resume' -d 'With GNU parallel: do only shards that failed or did not begin (--resume-failed).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" wait' -l 'wait' -d 'With Slurm: wait for the end of the job.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" again' -l 'again' -d 'Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all.' -rfka 'changed never all'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" dry-run n' -l 'dry-run' -s 'n' -d 'Prepare the run, print the command line of the engine, and begin nothing.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" canary' -l 'canary' -d 'Carry out the plans of this many remotes first: N or N%. Default: 5%.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" max-failures' -l 'max-failures' -d 'Stop with more unexpected failures than this number or percentage: N or N%. Default: 0.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" max-delete' -l 'max-delete' -d 'Refuse plans that remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" y yes' -l 'yes' -s 'y' -d 'Carry out the plans without asking.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet apply" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_positional "ticds-fleet undo" -eq 1' -fa '(__ticds-fleet_complete_directories)'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" engine' -l 'engine' -d 'Who gives the shards to workers: this program, GNU parallel, or Slurm.' -rfka 'local parallel slurm'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" jobs' -l 'jobs' -d 'Work on this many remotes at a time: in this process, on each machine of GNU parallel, or in each task of Slurm. Default: one for each core; 1 with Slurm.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" shards' -l 'shards' -d 'Divide the remotes into this many shards. Default: 1, or one for about 100 remotes.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo"' -l 'sshlogin' -d 'With GNU parallel: run on this host (passed on as --sshlogin). May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo"' -l 'engine-option' -d 'Give this word to parallel or sbatch, such as --engine-option=--mem=4G. May be given several times.' -rfka ''
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" resume' -l 'resume' -d 'With GNU parallel: do only shards that failed or did not begin (--resume-failed).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" wait' -l 'wait' -d 'With Slurm: wait for the end of the job.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" again' -l 'again' -d 'Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all.' -rfka 'changed never all'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" dry-run n' -l 'dry-run' -s 'n' -d 'Prepare the run, print the command line of the engine, and begin nothing.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" y yes' -l 'yes' -s 'y' -d 'Undo without asking.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet undo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-fleet' -n '__ticds-fleet_should_offer_completions_for_flags_or_options "ticds-fleet help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-fleet_tokens
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

function __ticds-fleet_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-fleet_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-fleet_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-fleet_tokens -pc)
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

