#!/bin/sh
# Verifies and backs up a remote every night, and prints a report if somebody should look.
#
#     maintenance.sh [-v] REMOTE BACKUPS
#
# With -v it prints the report in any case.
#
# Every night it verifies the remote (it reads only files that are new since the last night) and writes a snapshot into the
# folder BACKUPS. On Sundays, if all is well, it vacuums. On the first of the month it checks every file of the newest
# snapshot, and empties the trash of operations older than 90 days. Snapshots with the tag "keep", which
# ticds-remote snapshot REMOTE BACKUPS --tag keep writes, stay. In a crontab, where cron mails what a command prints:
#
#     MAILTO=you@example.com
#     30 3 * * * /usr/local/share/doc/ticds/examples/maintenance.sh ~/Dropbox/com.example.app /srv/backup
#
# For an encrypted remote set TICDS_PASSWORD_COMMAND or TICDS_PASSWORD_FILE.
# Needs jq.
# Exit status: 0 all is well, 1 somebody should read the report, 2 a step failed.
set -u
# cron has few folders in it.
PATH=${PATH:-/usr/bin:/bin}:/usr/local/bin:/usr/bin:/bin
export PATH
always=no
if [ "${1-}" = -v ]; then
    always=yes
    shift
fi
if [ $# -ne 2 ]; then
    echo "usage: $0 [-v] REMOTE BACKUPS" >&2
    exit 64
fi
for program in ticds-verify ticds-remote ticds-vacuum ticds-archive ticds-journal jq; do
    if ! command -v "$program" >/dev/null; then
        echo "$0: $program is not in $PATH. Install it, or add its folder to PATH in the crontab." >&2
        exit 2
    fi
done
remote=$1
backups=$2
state=${XDG_STATE_HOME:-$HOME/.local/state}/ticds-maintenance
mkdir -p "$state" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

result=0
subject=
# A function of jq: "1 file", "2 files".
counted='def counted($number; $noun): "\($number) \($noun)" + (if $number == 1 then "" else "s" end);'
report() { printf '%s\n' "$*" >> "$work/report"; }
head_line() { subject="${subject:+$subject, }$*"; }
worse() { if [ "$1" -gt "$result" ]; then result=$1; fi; }

# step NAME COMMAND ...: runs a command; its standard output goes to NAME.json, its errors to NAME.err, and its exit
# status to $status.
step() {
    name=$1
    shift
    "$@" > "$work/$name.json" 2> "$work/$name.err"
    status=$?
}

# Reports why a step failed, from the error document that it printed.
failed() {
    worse 2
    head_line "$1"
    report "$1 (exit status $status):"
    report "$(jq -r 'select(.schema == "ticds.error/1") | "    " + .problem' "$work/$name.err" 2>/dev/null ||
        sed 's/^/    /' "$work/$name.err")"
}

verify() {
    level=$1
    step verify ticds-verify "$remote" --json --level "$level" --state "$state/$(printf %s "$remote" | cksum | cut -d ' ' -f 1).verified"
    case $status in
    0 | 1)
        summary=$(jq -r "$counted"'select(.schema == "ticds.verify/1")
            | counted(.errors; "error") + ", " + counted(.warnings; "warning") + ", " + counted(.notes; "note")
            + "; " + counted(.examined.count; "file") + " read, \(.known.count) known from earlier nights"' \
            "$work/verify.json")
        report "Verified: $summary"
        jq -r 'select(.schema == "ticds.finding/1" and .severity != "note")
            | "    \(.severity) \(.code) \(.title)\n        \(.path)\n        try: ticds-verify explain \(.code)"' \
            "$work/verify.json" | head -n 60 >> "$work/report"
        ;;
    4)
        if closed=$(jq -er "$counted"'select(.schema == "ticds.verify/1") | .notOpened.count | values
            | counted(.; "encrypted file")' "$work/verify.json"); then
            worse 2
            head_line "not verified: the password is missing"
            report "Not verified: without a password, ticds-verify did not open $closed." \
                "Set TICDS_PASSWORD_COMMAND or TICDS_PASSWORD_FILE."
        else
            failed "The remote could not be verified"
        fi
        ;;
    *) failed "The remote could not be verified" ;;
    esac
    if [ "$status" -eq 1 ]; then
        worse 1
        head_line "$(jq -r "$counted"'select(.schema == "ticds.verify/1")
            | counted(.errors; "error") + ", " + counted(.warnings; "warning")' "$work/verify.json")"
    fi
    [ "$status" -eq 0 ]
}

snapshot() {
    step snapshot ticds-remote snapshot "$remote" "$backups" --json \
        --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --keep-tag keep
    case $status in
    0) ;;
    5)
        worse 1
        head_line "something is wrong with the snapshots"
        report "Something is wrong with the snapshots:"
        report "$(sed 's/^/    /' "$work/snapshot.err")"
        ;;
    *)
        failed "No snapshot was written"
        return 1
        ;;
    esac
    jq -r "$counted"'"Snapshot: \(.archive), " + counted(.files.count; "file") + ", \(.archiveBytes) bytes; "
        + counted(.kept | length; "snapshot") + " kept, \(.removed | length) removed"' "$work/snapshot.json" >> "$work/report"
}

vacuum() {
    step vacuum ticds-vacuum "$remote" --yes --json
    case $status in
    0)
        report "$(jq -r "$counted"'counted([.plan.actions[] | select(.change.moveToTrash)] | length; "change set")
            | "Vacuumed: \(.) removed,"' "$work/vacuum.json")" \
            "operation $(jq -r '.operation // "none"' "$work/vacuum.json")"
        ;;
    3)
        worse 1
        head_line "the vacuum was refused"
        report "The vacuum was refused: $(jq -r 'select(.schema == "ticds.error/1") | .problem' "$work/vacuum.err")"
        ;;
    *) failed "The vacuum failed" ;;
    esac
}

check_snapshot() {
    step check ticds-archive verify "$(jq -r .archive "$work/snapshot.json")" --json
    if [ "$status" -eq 0 ]; then
        report "Newest snapshot checked: $(jq -r "$counted"'counted(.wholeFiles.count; "file")' "$work/check.json"), all intact"
    else
        failed "The newest snapshot did not pass its check"
    fi
}

prune() {
    for place in "$remote" "$backups"; do
        step prune ticds-journal prune "$place" --older-than 90d --yes --json
        if [ "$status" -eq 0 ]; then
            report "Emptied the trash of $place:" \
                "$(jq -r "$counted"'counted([.remotes[].operations[]?] | length; "old operation")' "$work/prune.json")"
        else
            failed "The trash of $place could not be emptied"
        fi
    done
}

day=$(date +%d)
weekday=$(date +%u)
if [ "$day" = 01 ]; then level=deep; else level=contents; fi
intact=no
if verify "$level"; then intact=yes; fi
if snapshot; then
    if [ "$day" = 01 ]; then
        check_snapshot
        prune
    fi
    if [ "$weekday" = 7 ]; then
        if [ "$intact" = yes ]; then vacuum; else report "Not vacuumed, because of what was found."; fi
    fi
fi

if [ "$result" -ne 0 ] || [ "$always" = yes ]; then
    cat <<END
$remote: ${subject:-all is well}
$(date '+%A, %d %B %Y'), snapshots in $backups

$(cat "$work/report")
END
fi
exit $result
