function __ticds-verify_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-verify_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-verify_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-verify_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-verify_parse_tokens -S
    set -l unparsed_tokens (__ticds-verify_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-verify'
        __ticds-verify_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'remote'
            __ticds-verify_parse_subcommand 1 'document=' 'level=' 'state=' 'recheck-after=' 'max-duration=' 'jobs=' 'without-password' 'transfers=' 'as-client=' 'as-new-client' 'variant=' 'model=' 'only=+' 'ignore=+' 'fail-on=' 'max-findings=' 'one-line' 'repair' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'password-file=' 'password-command=' 'old-hmac' 'on-success=' 'on-failure=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'file'
            __ticds-verify_parse_subcommand -r 1 'only=+' 'ignore=+' 'fail-on=' 'max-findings=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'explain'
            __ticds-verify_parse_subcommand -r 1 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-verify_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-verify_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-verify_parse_subcommand -S -a positional_count
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

function __ticds-verify_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-verify_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-verify_tokens -p)
    if test -z "$(__ticds-verify_tokens -t)"
        set -l index (count (__ticds-verify_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-verify' -f
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify" -eq 1' -fa 'remote' -d 'Checks a whole remote, or one document of it. (The word may be left out.)'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify" -eq 1' -fa 'file' -d 'Checks single files: change sets, whole stores, registers, property lists.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify" -eq 1' -fa 'explain' -d 'Explains findings by their codes; without a code, lists them all.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify remote" -eq 1' -fka '(__ticds-verify_custom_completion ---completion remote -- positional@0 (count (__ticds-verify_tokens -pc)) (__ticds-verify_tokens -tC))'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-verify_custom_completion ---completion remote -- --document (count (__ticds-verify_tokens -pc)) (__ticds-verify_tokens -tC))'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" level' -l 'level' -d 'How thoroughly to check.' -rfka 'names headers contents deep'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" state' -l 'state' -d 'Record sound files in this file, and open only new and changed ones the next time.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" recheck-after' -l 'recheck-after' -d 'With --state: open sound files again when their last check is older than this, such as 30d.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" max-duration' -l 'max-duration' -d 'Stop at a safe point after this time, such as 10m; the next run begins with the files whose check is oldest.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" jobs' -l 'jobs' -d 'Open this many files at the same time. Default: one for each core.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" without-password' -l 'without-password' -d 'Do not use a password for an encrypted remote: encrypted files are only counted, and the exit status depends on findings.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" transfers' -l 'transfers' -d 'Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: RCLONE_TRANSFERS, otherwise 8.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" as-client' -l 'as-client' -d 'Do not check, but simulate the next synchronisation of this client.' -rfka '(__ticds-verify_custom_completion ---completion remote -- --as-client (count (__ticds-verify_tokens -pc)) (__ticds-verify_tokens -tC))'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" as-new-client' -l 'as-new-client' -d 'Like --as-client, for a new client that registers with the document.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" variant' -l 'variant' -d 'The kind of client that --as-client and --as-new-client simulate.' -rfka 'file-manager dropbox icloud'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" model' -l 'model' -d 'The managed object model of the application that --as-client and --as-new-client simulate: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote"' -l 'only' -d 'Show only findings of this kind. May be given several times.' -rfka 'TICDS-0101 TICDS-0102 TICDS-0103 TICDS-0104 TICDS-0105 TICDS-0106 TICDS-0107 TICDS-0108 TICDS-0109 TICDS-0110 TICDS-0111 TICDS-0113 TICDS-0201 TICDS-0202 TICDS-0203 TICDS-0204 TICDS-0205 TICDS-0206 TICDS-0207 TICDS-0208 TICDS-0209 TICDS-0210 TICDS-0211 TICDS-0212 TICDS-0213 TICDS-0214 TICDS-0215 TICDS-0220 TICDS-0221 TICDS-0222 TICDS-0223 TICDS-0224 TICDS-0301 TICDS-0302 TICDS-0303 TICDS-0304 TICDS-0305 TICDS-0306 TICDS-0307 TICDS-0308 TICDS-0309 TICDS-0310 TICDS-0311 TICDS-0312 TICDS-0313 TICDS-0314 TICDS-0315 TICDS-0316 TICDS-0317 TICDS-0318 TICDS-0401 TICDS-0402 TICDS-0403 TICDS-0404 TICDS-0405 TICDS-0406 TICDS-0407 TICDS-0501 TICDS-0502 TICDS-0503 TICDS-0504 TICDS-0505 TICDS-0506 TICDS-0507 TICDS-0508 TICDS-0509 TICDS-0510 TICDS-0511 TICDS-0601 TICDS-0602 TICDS-0603 TICDS-0604 TICDS-0605 TICDS-0606 TICDS-0607 TICDS-0608 TICDS-0609 TICDS-0610 TICDS-0611 TICDS-0701 TICDS-0702 TICDS-0703 TICDS-0704 TICDS-0705 TICDS-0706 TICDS-0707 TICDS-0708 TICDS-0709 TICDS-0710 TICDS-0711 TICDS-0712 TICDS-0713 TICDS-0714 TICDS-0715 TICDS-0716 TICDS-0717 TICDS-0718 TICDS-0719 TICDS-0720 TICDS-0721 TICDS-0722 TICDS-0723 TICDS-0724 TICDS-0725 TICDS-0801 TICDS-0802 TICDS-0803 TICDS-0804 TICDS-0805 TICDS-0806 TICDS-0807 TICDS-0808 TICDS-0809 TICDS-0810 TICDS-0811 TICDS-0812 TICDS-0813 TICDS-0814 TICDS-0815 TICDS-0901 TICDS-0902 TICDS-0904'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote"' -l 'ignore' -d 'Leave out findings of this kind. May be given several times.' -rfka 'TICDS-0101 TICDS-0102 TICDS-0103 TICDS-0104 TICDS-0105 TICDS-0106 TICDS-0107 TICDS-0108 TICDS-0109 TICDS-0110 TICDS-0111 TICDS-0113 TICDS-0201 TICDS-0202 TICDS-0203 TICDS-0204 TICDS-0205 TICDS-0206 TICDS-0207 TICDS-0208 TICDS-0209 TICDS-0210 TICDS-0211 TICDS-0212 TICDS-0213 TICDS-0214 TICDS-0215 TICDS-0220 TICDS-0221 TICDS-0222 TICDS-0223 TICDS-0224 TICDS-0301 TICDS-0302 TICDS-0303 TICDS-0304 TICDS-0305 TICDS-0306 TICDS-0307 TICDS-0308 TICDS-0309 TICDS-0310 TICDS-0311 TICDS-0312 TICDS-0313 TICDS-0314 TICDS-0315 TICDS-0316 TICDS-0317 TICDS-0318 TICDS-0401 TICDS-0402 TICDS-0403 TICDS-0404 TICDS-0405 TICDS-0406 TICDS-0407 TICDS-0501 TICDS-0502 TICDS-0503 TICDS-0504 TICDS-0505 TICDS-0506 TICDS-0507 TICDS-0508 TICDS-0509 TICDS-0510 TICDS-0511 TICDS-0601 TICDS-0602 TICDS-0603 TICDS-0604 TICDS-0605 TICDS-0606 TICDS-0607 TICDS-0608 TICDS-0609 TICDS-0610 TICDS-0611 TICDS-0701 TICDS-0702 TICDS-0703 TICDS-0704 TICDS-0705 TICDS-0706 TICDS-0707 TICDS-0708 TICDS-0709 TICDS-0710 TICDS-0711 TICDS-0712 TICDS-0713 TICDS-0714 TICDS-0715 TICDS-0716 TICDS-0717 TICDS-0718 TICDS-0719 TICDS-0720 TICDS-0721 TICDS-0722 TICDS-0723 TICDS-0724 TICDS-0725 TICDS-0801 TICDS-0802 TICDS-0803 TICDS-0804 TICDS-0805 TICDS-0806 TICDS-0807 TICDS-0808 TICDS-0809 TICDS-0810 TICDS-0811 TICDS-0812 TICDS-0813 TICDS-0814 TICDS-0815 TICDS-0901 TICDS-0902 TICDS-0904'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" fail-on' -l 'fail-on' -d 'Exit with 1 if a finding has at least this severity.' -rfka 'error warning note'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" max-findings' -l 'max-findings' -d 'Show at most this many findings; all are counted. 0 shows all.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" one-line' -l 'one-line' -d 'Print only one line with the result, for health checks; the exit status stays the same.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" repair' -l 'repair' -d 'Repair what can be repaired without a person or a client; shows the plan first.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" on-success' -l 'on-success' -d 'Run a command line with /bin/sh after success; TICDS_SUMMARY and other variables show the result.' -rfka '(__fish_complete_command)'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" on-failure' -l 'on-failure' -d 'Run a command line with /bin/sh after every other end; TICDS_STATUS has the exit status.' -rfka '(__fish_complete_command)'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify remote" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify file" -ge 1' -F
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file"' -l 'only' -d 'Show only findings of this kind. May be given several times.' -rfka 'TICDS-0101 TICDS-0102 TICDS-0103 TICDS-0104 TICDS-0105 TICDS-0106 TICDS-0107 TICDS-0108 TICDS-0109 TICDS-0110 TICDS-0111 TICDS-0113 TICDS-0201 TICDS-0202 TICDS-0203 TICDS-0204 TICDS-0205 TICDS-0206 TICDS-0207 TICDS-0208 TICDS-0209 TICDS-0210 TICDS-0211 TICDS-0212 TICDS-0213 TICDS-0214 TICDS-0215 TICDS-0220 TICDS-0221 TICDS-0222 TICDS-0223 TICDS-0224 TICDS-0301 TICDS-0302 TICDS-0303 TICDS-0304 TICDS-0305 TICDS-0306 TICDS-0307 TICDS-0308 TICDS-0309 TICDS-0310 TICDS-0311 TICDS-0312 TICDS-0313 TICDS-0314 TICDS-0315 TICDS-0316 TICDS-0317 TICDS-0318 TICDS-0401 TICDS-0402 TICDS-0403 TICDS-0404 TICDS-0405 TICDS-0406 TICDS-0407 TICDS-0501 TICDS-0502 TICDS-0503 TICDS-0504 TICDS-0505 TICDS-0506 TICDS-0507 TICDS-0508 TICDS-0509 TICDS-0510 TICDS-0511 TICDS-0601 TICDS-0602 TICDS-0603 TICDS-0604 TICDS-0605 TICDS-0606 TICDS-0607 TICDS-0608 TICDS-0609 TICDS-0610 TICDS-0611 TICDS-0701 TICDS-0702 TICDS-0703 TICDS-0704 TICDS-0705 TICDS-0706 TICDS-0707 TICDS-0708 TICDS-0709 TICDS-0710 TICDS-0711 TICDS-0712 TICDS-0713 TICDS-0714 TICDS-0715 TICDS-0716 TICDS-0717 TICDS-0718 TICDS-0719 TICDS-0720 TICDS-0721 TICDS-0722 TICDS-0723 TICDS-0724 TICDS-0725 TICDS-0801 TICDS-0802 TICDS-0803 TICDS-0804 TICDS-0805 TICDS-0806 TICDS-0807 TICDS-0808 TICDS-0809 TICDS-0810 TICDS-0811 TICDS-0812 TICDS-0813 TICDS-0814 TICDS-0815 TICDS-0901 TICDS-0902 TICDS-0904'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file"' -l 'ignore' -d 'Leave out findings of this kind. May be given several times.' -rfka 'TICDS-0101 TICDS-0102 TICDS-0103 TICDS-0104 TICDS-0105 TICDS-0106 TICDS-0107 TICDS-0108 TICDS-0109 TICDS-0110 TICDS-0111 TICDS-0113 TICDS-0201 TICDS-0202 TICDS-0203 TICDS-0204 TICDS-0205 TICDS-0206 TICDS-0207 TICDS-0208 TICDS-0209 TICDS-0210 TICDS-0211 TICDS-0212 TICDS-0213 TICDS-0214 TICDS-0215 TICDS-0220 TICDS-0221 TICDS-0222 TICDS-0223 TICDS-0224 TICDS-0301 TICDS-0302 TICDS-0303 TICDS-0304 TICDS-0305 TICDS-0306 TICDS-0307 TICDS-0308 TICDS-0309 TICDS-0310 TICDS-0311 TICDS-0312 TICDS-0313 TICDS-0314 TICDS-0315 TICDS-0316 TICDS-0317 TICDS-0318 TICDS-0401 TICDS-0402 TICDS-0403 TICDS-0404 TICDS-0405 TICDS-0406 TICDS-0407 TICDS-0501 TICDS-0502 TICDS-0503 TICDS-0504 TICDS-0505 TICDS-0506 TICDS-0507 TICDS-0508 TICDS-0509 TICDS-0510 TICDS-0511 TICDS-0601 TICDS-0602 TICDS-0603 TICDS-0604 TICDS-0605 TICDS-0606 TICDS-0607 TICDS-0608 TICDS-0609 TICDS-0610 TICDS-0611 TICDS-0701 TICDS-0702 TICDS-0703 TICDS-0704 TICDS-0705 TICDS-0706 TICDS-0707 TICDS-0708 TICDS-0709 TICDS-0710 TICDS-0711 TICDS-0712 TICDS-0713 TICDS-0714 TICDS-0715 TICDS-0716 TICDS-0717 TICDS-0718 TICDS-0719 TICDS-0720 TICDS-0721 TICDS-0722 TICDS-0723 TICDS-0724 TICDS-0725 TICDS-0801 TICDS-0802 TICDS-0803 TICDS-0804 TICDS-0805 TICDS-0806 TICDS-0807 TICDS-0808 TICDS-0809 TICDS-0810 TICDS-0811 TICDS-0812 TICDS-0813 TICDS-0814 TICDS-0815 TICDS-0901 TICDS-0902 TICDS-0904'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" fail-on' -l 'fail-on' -d 'Exit with 1 if a finding has at least this severity.' -rfka 'error warning note'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" max-findings' -l 'max-findings' -d 'Show at most this many findings; all are counted. 0 shows all.' -rfka ''
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify file" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_positional "ticds-verify explain" -ge 1' -fka 'TICDS-0101 TICDS-0102 TICDS-0103 TICDS-0104 TICDS-0105 TICDS-0106 TICDS-0107 TICDS-0108 TICDS-0109 TICDS-0110 TICDS-0111 TICDS-0113 TICDS-0201 TICDS-0202 TICDS-0203 TICDS-0204 TICDS-0205 TICDS-0206 TICDS-0207 TICDS-0208 TICDS-0209 TICDS-0210 TICDS-0211 TICDS-0212 TICDS-0213 TICDS-0214 TICDS-0215 TICDS-0220 TICDS-0221 TICDS-0222 TICDS-0223 TICDS-0224 TICDS-0301 TICDS-0302 TICDS-0303 TICDS-0304 TICDS-0305 TICDS-0306 TICDS-0307 TICDS-0308 TICDS-0309 TICDS-0310 TICDS-0311 TICDS-0312 TICDS-0313 TICDS-0314 TICDS-0315 TICDS-0316 TICDS-0317 TICDS-0318 TICDS-0401 TICDS-0402 TICDS-0403 TICDS-0404 TICDS-0405 TICDS-0406 TICDS-0407 TICDS-0501 TICDS-0502 TICDS-0503 TICDS-0504 TICDS-0505 TICDS-0506 TICDS-0507 TICDS-0508 TICDS-0509 TICDS-0510 TICDS-0511 TICDS-0601 TICDS-0602 TICDS-0603 TICDS-0604 TICDS-0605 TICDS-0606 TICDS-0607 TICDS-0608 TICDS-0609 TICDS-0610 TICDS-0611 TICDS-0701 TICDS-0702 TICDS-0703 TICDS-0704 TICDS-0705 TICDS-0706 TICDS-0707 TICDS-0708 TICDS-0709 TICDS-0710 TICDS-0711 TICDS-0712 TICDS-0713 TICDS-0714 TICDS-0715 TICDS-0716 TICDS-0717 TICDS-0718 TICDS-0719 TICDS-0720 TICDS-0721 TICDS-0722 TICDS-0723 TICDS-0724 TICDS-0725 TICDS-0801 TICDS-0802 TICDS-0803 TICDS-0804 TICDS-0805 TICDS-0806 TICDS-0807 TICDS-0808 TICDS-0809 TICDS-0810 TICDS-0811 TICDS-0812 TICDS-0813 TICDS-0814 TICDS-0815 TICDS-0901 TICDS-0902 TICDS-0904'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-verify' -n '__ticds-verify_should_offer_completions_for_flags_or_options "ticds-verify help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-verify_tokens
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
    # Without a subcommand it is remote.
    if contains -- -pc $argv
        set -l word $tokens[2]
        if test (count $tokens) -eq 1
            set word (string match -- '-*' (commandline -ct))
        end
        if test -n "$word"; and not string match -qr -- '^(remote|file|explain|help|--version|-h|--help)$' $word
            set tokens $tokens[1] remote $tokens[2..]
        end
    end
    test (count $tokens) -gt 0; and printf '%s\n' $tokens
end

function __ticds-verify_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-verify_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-verify_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-verify_tokens -pc)
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

complete -c ticds-verify -n 'test (count (commandline -opc)) -eq 1' -fa '(__ticds-verify_complete_directories)'

