/// What follows the generated script for bash.
extension CompletionScript {
    var bash: String {
        let leading = standard == nil ? "" : Self.standard
        let dispatch = delegates.isEmpty ? "" : Self.dispatch(delegates.map(\.name) + subcommands)
        return filled(
            Self.functions + dispatch + Self.start + (delegates.isEmpty ? "" : Self.delegation) + leading
                + Self.end)
    }

    private static let functions = #"""
        # The functions that follow take the place of generated ones.

        # Puts the words up to the cursor, as they were typed, into COMP_WORDS: bash also splits them at '=' and ':'.
        # An option and its value behind '=' become two words.
        __PROGRAM_words() {
            local rest="${COMP_LINE:0:COMP_POINT}" stripped piece word
            local -a words=() split=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                stripped="${rest#"${rest%%[![:space:]]*}"}"
                if ((index == 0)) || [[ "${stripped}" != "${rest}" ]]; then words+=(''); fi
                piece="${COMP_WORDS[index]}"
                if ((index == COMP_CWORD)); then piece="${stripped}"; fi
                words[${#words[@]} - 1]+="${piece}"
                rest="${stripped#"${piece}"}"
            done
            for word in "${words[@]}"; do
                case "${word}" in
                --?*=*) split+=("${word%%=*}" "${word#*=}") ;;
                *) split+=("${word}") ;;
                esac
            done
            COMP_WORDS=("${split[@]}")
            COMP_CWORD=$((${#split[@]} - 1))
        }

        __PROGRAM_cursor_index_in_current_word() {
            printf 0
        }

        # Asks the program. It gets the words as they were typed, and prints lines of value, tab and explanation.
        __PROGRAM_custom_complete() {
            local -a program=("${__ticds_program[@]}")
            if ((${#program[@]} == 0)); then program=("${COMP_WORDS[0]}"); fi
            if [[ "${program[0]}" = \~/* ]]; then program[0]="${HOME}${program[0]:1}"; fi
            "${program[@]}" "${@}" "${COMP_WORDS[@]}" 2>/dev/null </dev/null
        }

        # Quotes value as the word at the cursor is quoted. What stands before a ':' stays in the line.
        __PROGRAM_quote() {
            case "${__ticds_head}" in
            *\')
                value="${value//\'/\'\\\'\'}"
                # The shell takes a last quote for the one that closes the word, and adds none.
                if [[ "${value}" = *\'\\\'\' ]]; then value="${value%\'}"; fi
                ;;
            *\")
                value="${value//\\/\\\\}"
                value="${value//\"/\\\"}"
                value="${value//\$/\\\$}"
                value="${value//\`/\\\`}"
                value="${value//!/\"\\!\"}"
                case "${value}" in
                *\\\") value="${value%\\\"}\"\\\"" ;;
                *!\") value+='"' ;;
                esac
                ;;
            *)
                printf -v value %q "${value}"
                value="${value#"${__ticds_head}"}"
                ;;
            esac
        }

        __PROGRAM_add_completions() {
            local line value typed
            case "${*}" in
            -d) compopt -o plusdirs ;;
            -f) compopt -o default ;;
            -W*)
                local -a values=() explained=()
                while IFS='' read -r line; do
                    case "${line}" in
                    '') ;;
                    /directories) compopt -o plusdirs ;;
                    /files) compopt -o default ;;
                    *$'\t'*)
                        value="${line%%$'\t'*}"
                        line="${line#*$'\t'}"
                        explained+=("${value}${line:+  (${line})}")
                        __PROGRAM_quote
                        values+=("${value}")
                        ;;
                    "${cur}"*) COMPREPLY+=("${line}") ;;
                    esac
                done <<<"${2}"
                if ((${#values[@]} > 0)); then
                    # The shell itself would quote them as names of files, in which a variable stays one.
                    compopt +o filenames
                    # Type 63: a list is about to be shown, and nothing inserted.
                    if [[ "${COMP_TYPE}" = 63 && "${#values[@]}" -gt 1 ]]; then
                        COMPREPLY+=("${explained[@]}")
                    else
                        COMPREPLY+=("${values[@]}")
                    fi
                fi
                ;;
            *)
                # Files with certain endings; all where there are none. Backslashes are taken away first.
                IFS='' read typed <<<"${cur}"
                while IFS='' read -r line; do COMPREPLY+=("${line}"); done < <(compgen "${@}" -- "${typed}")
                compopt -o default
                ;;
            esac
        }


        """#

    /// - Parameter names: all commands, which may be abbreviated.
    private static func dispatch(_ names: [String]) -> String {
        #"""
        __ticds_folder=.
        if [[ "${BASH_SOURCE[0]}" = */* ]]; then __ticds_folder="$(cd "${BASH_SOURCE[0]%/*}" && pwd)"; fi
        __ticds_commands=(NAMES)

        # Sets found to the one command that begins so.
        __ticds_command() {
            local command
            local -i count=0
            found=''
            for command in "${__ticds_commands[@]}"; do
                if [[ "${command}" = "${1}" ]]; then found="${command}"; return; fi
                if [[ "${command}" = "${1}"* ]]; then found="${command}"; count+=1; fi
            done
            if ((count != 1)); then found=''; fi
        }


        """#.replacing("NAMES", with: names.joined(separator: " "))
    }

    private static let start = #"""
        _PROGRAM() {
            local -a COMP_WORDS=("${COMP_WORDS[@]}")
            local -i COMP_CWORD="${COMP_CWORD}"
            local __ticds_head="${__ticds_head}"
            if ((${#__ticds_program[@]} == 0)); then
                __PROGRAM_words
                __ticds_head="${COMP_WORDS[COMP_CWORD]%"${2}"}"
            fi
            local previous="${3}"
            if ((COMP_CWORD > 0)); then previous="${COMP_WORDS[COMP_CWORD - 1]}"; fi

        """#

    private static let delegation = #"""
            local found
            if ((COMP_CWORD == 1)); then
                COMPREPLY+=($(compgen -W "${__ticds_commands[*]}" -- "${2}"))
                if [[ "${2}" != -* ]]; then return; fi
            else
                __ticds_command "${COMP_WORDS[1]}"
                case "${found}" in
                SUBCOMMANDS) COMP_WORDS[1]="${found}" ;;
                ?*)
                    if ! declare -F "_ticds-${found}" >/dev/null && [[ -r "${__ticds_folder}/ticds-${found}" ]]; then
                        source "${__ticds_folder}/ticds-${found}"
                    fi
                    if declare -F "_ticds-${found}" >/dev/null; then
                        local -a __ticds_program=("${COMP_WORDS[0]}" "${found}")
                        COMP_WORDS=("ticds-${found}" "${COMP_WORDS[@]:2}")
                        COMP_CWORD=$((COMP_CWORD - 1))
                        "_ticds-${found}" "ticds-${found}" "${2}" "${previous}"
                    fi
                    return
                    ;;
                esac
            fi

        """#

    private static let standard = #"""
            case "${COMP_WORDS[1]}" in
            SUBCOMMANDS) ;;
            *)
                # Without a subcommand it is STANDARD.
                if ((COMP_CWORD == 1)) && [[ "${2}" != -* ]]; then
                    __PROGRAM_own "${1}" "${2}" "${previous}"
                fi
                COMP_WORDS=("${COMP_WORDS[0]}" STANDARD "${COMP_WORDS[@]:1}")
                COMP_CWORD+=1
                ;;
            esac

        """#

    private static let end = #"""
            __PROGRAM_own "${1}" "${2}" "${previous}"
        }

        """#
}
