#!/usr/bin/env bash
# Installs, starts, upgrades, removes and purges the Debian package in a copy of this system that vanishes with the namespace.
#
# Usage, as root: unshare --mount bash packaging/check.sh PACKAGE.deb UPGRADE.deb
set -euo pipefail

package=$1
upgrade=$2
fail() {
    echo "error: $1" >&2
    exit 1
}

# The copy of the system: changes go to memory, and reads to the real files.
place=$(mktemp --directory)
mount --make-rprivate /
mount -t tmpfs tmpfs "$place"
mkdir "$place/changes" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/changes,workdir=$place/work" "$place/root"
cp "$package" "$place/root/package.deb"
cp "$upgrade" "$place/root/upgrade.deb"
container() {
    systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --private-network --directory "$place/root" "$@" </dev/null
}
inside() { container --pipe --setenv=DEBIAN_FRONTEND=noninteractive "$@"; }

# Boots the copy with systemd, which starts the service of the package. Asks the server for its health, and stops the service.
serve() {
    cat >"$place/root/check-service" <<'END'
for _ in $(seq 100); do
    exec 3<>/dev/tcp/127.0.0.1/2420 && break
    sleep 0.1
done
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
head -n 1 <&3 >/answer
systemctl stop overmate.service
systemctl show --property=Result overmate.service >>/answer
journalctl --unit overmate.service --no-pager >/journal
END
    cat >"$place/root/etc/systemd/system/check.service" <<'END'
[Unit]
Wants=overmate.service
After=overmate.service
[Service]
Type=oneshot
ExecStart=/usr/bin/bash /check-service
ExecStopPost=/usr/bin/systemctl --force poweroff
TimeoutStartSec=60
END
    rm -f "$place/root/answer"
    container --boot --console=pipe systemd.unit=check.service >"$place/boot" 2>&1 || true
    local answer
    answer=$(cat "$place/root/answer" 2>/dev/null) || fail "the copy of the system has not started: $(tail -n 5 "$place/boot")"
    [[ $answer == *" 200 "*"Result=success"* ]] || fail "the server answers: $answer; its journal: $(cat "$place/root/journal")"
    local data=$place/root/var/lib/overmate
    [ -f "$data/overmate.sqlite" ] || fail "the server has written no database"
    [ ! -e "$data/overmate.sqlite-wal" ] || fail "the stop has left the write-ahead log"
    [ "$(inside stat --format '%a %U' /var/lib/overmate)" = "700 overmate" ] || fail "others may read the data folder"
    echo "the service of $1 answers and stops in order"
}

inside dpkg --install /package.deb
inside overmate --version
[ -f "$place/root/usr/share/man/man1/overmate-serve.1.gz" ] || fail "the package lacks the manual page overmate-serve"
grep -q "SIL OPEN FONT LICENSE" "$place/root/usr/share/doc/overmate/copyright" || fail "the package lacks the licences of others"
inside systemd-analyze verify --man=no /lib/systemd/system/overmate.service || fail "the service has a fault"
[ -L "$place/root/etc/systemd/system/multi-user.target.wants/overmate.service" ] || fail "the service is not enabled"
serve "the package"

echo '# changed by the operator' >>"$place/root/etc/default/overmate"
inside dpkg --install /upgrade.deb
grep -q 'changed by the operator' "$place/root/etc/default/overmate" || fail "the upgrade has lost a changed setting"
serve "the upgrade"

inside dpkg --remove overmate
[ -f "$place/root/var/lib/overmate/overmate.sqlite" ] || fail "the removal has deleted the data"
inside dpkg --purge overmate
[ ! -e "$place/root/var/lib/overmate" ] || fail "the purge has left the data folder"
[ ! -e "$place/root/etc/default/overmate" ] || fail "the purge has left the settings"
[ ! -e "$place/root/usr/bin/overmate" ] || fail "the purge has left the program"
echo "the package installs, serves, upgrades, and leaves nothing"
