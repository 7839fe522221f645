#!/bin/sh
# Installs the Earshot agent on a Linux device, or upgrades it. docs/agent.md describes what it does.
#
#   curl -fsS https://…/install | sh                                 installs or upgrades
#   curl -fsS https://…/install | sh -s -- --status                  shows what the installed agent does
#   curl -fsS https://…/install | sh -s -- --uninstall               removes it; asks about recordings that were not sent
#   curl -fsS https://…/install | sh -s -- --uninstall --remove-recordings   (or --keep-recordings) without asking
#
# This script is the same for everybody and contains no secret. It asks for the installation code that the console
# shows, or takes it from EARSHOT_CODE, and exchanges it for the key of the device. Code and key go through pipes and
# into a file that only its owner may read: they are never arguments of a program and are never printed.
#
# In its environment it also accepts:
#   EARSHOT_SOURCE   what to record: none, soundCard, soundCard:DEVICE, folder:/PATH or stream:URL
#   EARSHOT_UPLOAD   requested (the platform asks for sound) or atOnce

set -eu
umask 022

server='@server@'
agent_version='@agent_version@'
agent_sha256='@agent_sha256@'
launch_sha256='@launch_sha256@'

service=earshot-agent
newline='
'

say() { printf '%s\n' "$*"; }
warn() { printf 'earshot: %s\n' "$*" >&2; }
fail() {
  printf 'earshot: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

can_ask() { (: </dev/tty >/dev/tty) 2>/dev/null; }

# Asks on the terminal, because standard input is this script. The answer is in $reply.
ask() {
  printf '%s' "$1" >/dev/tty
  IFS= read -r reply </dev/tty || fail 'There was no answer.'
}

check_system() {
  has curl || fail 'curl is missing. Install it, for example with: apt-get install curl'
  has node || fail 'Node is missing. Install Node 18 or newer (https://nodejs.org), then run this line again.'
  node=$(node -p process.execPath) || fail 'Node cannot be started.'
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 18 ] || fail "Node $(node -v) is too old. Install Node 18 or newer, then run this line again."
  if [ "$is_root" = yes ]; then
    case $node in
      /root/* | /home/*) fail "The service cannot use Node in $node. Install Node for all users, or run this line as an ordinary user." ;;
    esac
  fi
  has ffmpeg || warn 'ffmpeg is not installed. The agent needs it to record from a sound card or a stream, not to watch a folder.'
  case $server in
    https:*) protocol='=https' ;;
    *) protocol='=http' ;;
  esac
}

choose_places() {
  is_root=no
  if [ "$(id -u)" -eq 0 ]; then
    is_root=yes
    home=/opt/$service
    config_folder=/etc/$service
    state=/var/lib/$service
    command_folder=/usr/local/bin
    units=/etc/systemd/system
  else
    [ -n "${HOME:-}" ] || fail 'HOME is not set.'
    home=$HOME/.local/share/$service
    config_folder=$HOME/.config/$service
    state=$HOME/.local/state/$service
    command_folder=$HOME/.local/bin
    units=$HOME/.config/systemd/user
  fi
  config=$config_folder/agent.json
  command=$command_folder/$service
}

has_systemd() { [ -d /run/systemd/system ]; }

# The service manager of the system, or of the user.
control() {
  if [ "$is_root" = yes ]; then systemctl "$@"; else systemctl --user "$@"; fi
}

sha256_of() {
  node -e 'process.stdout.write(require("crypto").createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex"))' "$1"
}

# Downloads a program and checks that it is the one that the platform announced.
fetch() {
  curl -fsS --proto "$protocol" -o "$2" "$server$1" || fail "$server$1 could not be downloaded."
  [ "$(sha256_of "$2")" = "$3" ] || fail "$server$1 does not have the expected SHA-256. Nothing was installed."
}

download() {
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 1' HUP INT TERM
  say "Downloading the agent $agent_version from $server"
  fetch "/install/agent/$agent_sha256.mjs" "$temporary/agent.mjs" "$agent_sha256"
  fetch "/install/launch/$launch_sha256.mjs" "$temporary/launch.mjs" "$launch_sha256"
}

# A configuration that exists is kept, unless there is a new code.
choose_configuration() {
  is_new=yes
  is_asked=no
  [ -e "$config" ] || return 0
  [ -z "$code" ] || return 0
  is_new=no
  can_ask || return 0
  ask "$config exists. Keep it and only upgrade the agent? [Y/n] "
  case $reply in
    [nN]*) is_new=yes ;;
  esac
}

read_code() {
  if [ -z "$code" ]; then
    can_ask || fail 'There is no terminal to ask for the installation code. Set EARSHOT_CODE.'
    is_asked=yes
    ask 'Installation code (the console shows it under "Connect a recorder"): '
    code=$reply
  fi
  case $code in
    '' | *[!A-Za-z0-9\ -]*) fail 'The installation code has letters and digits only, such as 7K3M-9QRT-2WXY.' ;;
  esac
}

# The answer with the key is in $answer.
exchange_code() {
  tries=0
  while :; do
    tries=$((tries + 1))
    read_code
    answer=$(printf '{"code":"%s"}' "$code" |
      curl -sS --proto "$protocol" -H 'content-type: application/json' --data-binary @- \
        -w '\n%{http_code}' "$server/v1/installation") || fail "$server could not be reached. The code was not used."
    status=${answer##*"$newline"}
    answer=${answer%"$newline"*}
    case $status in
      200) return 0 ;;
      429)
        [ "$tries" -lt 6 ] || fail 'Too many wrong codes were tried. Wait some minutes, then run this line again.'
        warn 'Too many wrong codes were tried; waiting 15 seconds.'
        sleep 15
        ;;
      401)
        warn 'The code is wrong, has expired, or was used. Codes are valid for 15 minutes and work once.'
        if [ "$is_asked" = no ] || [ "$tries" -ge 3 ]; then fail 'Make a new code in the console.'; fi
        code=
        ;;
      *) fail "$server answered with the status $status. Nothing was installed." ;;
    esac
  done
}

choose_source() {
  source=${EARSHOT_SOURCE:-}
  if [ -z "$source" ] && [ ! -e "$config" ] && can_ask; then
    printf 'What should it record?\n  1  a sound card\n  2  a folder that another program fills\n  3  a stream (RTSP, HTTP, Icecast)\n  4  nothing yet\n' >/dev/tty
    ask 'Number [4]: '
    case $reply in
      1) ask 'ALSA device [default]: ' && source=soundCard:${reply:-default} ;;
      2) ask 'Path of the folder: ' && source=folder:$reply ;;
      3) ask 'Address of the stream: ' && source=stream:$reply ;;
    esac
  fi
  case $source in
    '' | none | soundCard | soundCard:?* | folder:/?* | stream:?*) ;;
    *) fail 'EARSHOT_SOURCE must be none, soundCard, soundCard:DEVICE, folder:/PATH or stream:URL.' ;;
  esac
  case ${EARSHOT_UPLOAD:-} in
    '' | requested | atOnce) ;;
    *) fail 'EARSHOT_UPLOAD must be requested or atOnce.' ;;
  esac
}

# Reads the source and the answer from standard input. Settings of a former configuration stay. The recordings of
# another device are not mixed with those of this one.
write_configuration='
const fs = require("fs");
const [path, state, server, upload] = process.argv.slice(1);
const input = fs.readFileSync(0, "utf8");
const source = input.slice(0, input.indexOf("\n"));
const { deviceSerial, accessKey, secretKey } = JSON.parse(input.slice(source.length + 1));
if (![deviceSerial, accessKey, secretKey].every((value) => typeof value === "string" && value !== "")) {
  throw new Error("the answer of the platform has no key");
}
let former = {};
if (fs.existsSync(path)) {
  try {
    former = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch {
    fs.renameSync(path, path + ".unreadable");
  }
}
// Recordings that an uninstallation left are those of the device that it names.
const left = (folder) => {
  try {
    return fs.readFileSync(folder + "/device", "utf8").trim();
  } catch {
    return undefined;
  }
};
const formerSerial = former.deviceSerial || left(state);
const isOther = formerSerial !== undefined && formerSerial !== deviceSerial;
const own = state + "/" + deviceSerial;
if (isOther && former.deviceSerial) {
  try {
    fs.writeFileSync((former.folder || state) + "/device", former.deviceSerial + "\n", { flag: "wx" });
  } catch {
    // It is known already, or the other device has no recordings.
  }
}
const [kind] = source.split(":");
const value = source.slice(kind.length + 1);
const sources = {
  soundCard: [{ kind, device: value || "default" }],
  folder: [{ kind, path: value }],
  stream: [{ kind, url: value }],
  none: [],
}[kind];
const config = {
  ...former,
  server,
  deviceSerial,
  accessKey,
  secretKey,
  folder: isOther || left(own) === deviceSerial ? own : former.folder || state,
  sources: sources || former.sources || [],
  upload: upload || former.upload || "requested",
  allow: [...new Set([...(former.allow || []), "Update_software"])],
  // A configuration of before this setting goes on as it was.
  ...(former.server ? {} : { allowNetworks: [] }),
};
const whole = path + ".new";
fs.rmSync(whole, { force: true });
const file = fs.openSync(whole, "wx", 0o600);
fs.writeSync(file, JSON.stringify(config, null, 2) + "\n");
fs.fsyncSync(file);
fs.closeSync(file);
fs.renameSync(whole, path);
process.stdout.write(deviceSerial);
'

make_user() {
  id "$service" >/dev/null 2>&1 && return 0
  if has useradd; then
    useradd --system --user-group --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$service"
  elif has adduser; then
    addgroup -S "$service" && adduser -S -D -H -h "$state" -s /sbin/nologin -G "$service" "$service"
  else
    fail "The user $service could not be created: useradd is missing."
  fi
}

configure() {
  [ "$is_new" = yes ] || return 0
  choose_source
  exchange_code
  mkdir -p "$config_folder"
  [ "$is_root" = yes ] || chmod 700 "$config_folder"
  serial=$(printf '%s\n%s' "$source" "$answer" |
    node -e "$write_configuration" "$config" "$state" "$server" "${EARSHOT_UPLOAD:-}") ||
    fail "$config could not be written. The code is used: make a new one."
  answer=
  code=
  say "This device is $serial. Its configuration is $config"
}

# Replaces whole files, because the agent may be running.
put_programs() {
  mkdir -p "$home/versions" "$state"
  cp "$temporary/agent.mjs" "$home/versions/$agent_sha256.mjs.new"
  mv -f "$home/versions/$agent_sha256.mjs.new" "$home/versions/$agent_sha256.mjs"
  cp "$temporary/launch.mjs" "$home/launch.mjs.new"
  mv -f "$home/launch.mjs.new" "$home/launch.mjs"
  rm -f "$home/trial" "$home/current.new"
  ln -s "versions/$agent_sha256.mjs" "$home/current.new"
  mv -f "$home/current.new" "$home/current"
  if [ "$is_root" = yes ]; then
    # The agent may add files to its folder and replace its own, but not the launcher, which belongs to root.
    chown "root:$service" "$home"
    chmod 1775 "$home"
    chown -R "$service:$service" "$home/versions" "$state"
    chown -h "$service:$service" "$home/current"
    chown "$service:$service" "$config"
    chmod 700 "$state"
  else
    chmod 700 "$home" "$state"
  fi
  chmod 600 "$config"
}

# A text as one word of a shell script.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

status_command() { printf '%s %s status %s' "$(quoted "$node")" "$(quoted "$home/current")" "$(quoted "$config")"; }

is_our_command() { grep -qs '^# Made by the installation script of Earshot' "$command"; }

command_text() {
  cat <<COMMAND
#!/bin/sh
# Made by the installation script of Earshot, which also removes it.
if [ "\$#" -ne 1 ] || [ "\$1" != status ]; then
  echo 'Usage: earshot-agent status' >&2
  echo 'To remove the agent: curl -fsS $server/install | sh -s -- --uninstall' >&2
  exit 64
fi
COMMAND
  if [ "$is_root" = no ]; then
    say "exec $(status_command)"
    return 0
  fi
  cat <<COMMAND
if [ "\$(id -u)" -ne 0 ]; then
  echo 'earshot-agent: Run it as root: sudo earshot-agent status' >&2
  exit 78
fi
# As the user of the service, because the service may replace its program.
exec su -s /bin/sh $service -c $(quoted "exec $(status_command)")
COMMAND
}

# The agent works without it.
put_command() {
  if [ -e "$command" ] && ! is_our_command; then
    warn "$command is another program and was not replaced. The status of the agent: $(status_command)"
    return 0
  fi
  if ! { mkdir -p "$command_folder" && command_text >"$command.new" && chmod 755 "$command.new" && mv -f "$command.new" "$command"; }; then
    warn "$command could not be written. The status of the agent: $(status_command)"
  fi
}

unit_text() {
  cat <<UNIT
[Unit]
Description=Earshot agent
Documentation=$server
Wants=network-online.target
After=network-online.target

[Service]
ExecStart="$node" "$home/launch.mjs" "$config"
Restart=always
RestartSec=5
RestartPreventExitStatus=78
NoNewPrivileges=yes
LockPersonality=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
UNIT
}

# What only the system's own service manager can enforce.
system_unit_text() {
  unit_text
  cat <<UNIT
User=$service
Group=$service
StateDirectory=$service
StateDirectoryMode=0700
ReadWritePaths=$home
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
PrivateTmp=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
DevicePolicy=closed
DeviceAllow=char-alsa rw
UNIT
  if grep -q '^audio:' /etc/group; then say 'SupplementaryGroups=audio'; fi
  printf '\n[Install]\nWantedBy=multi-user.target\n'
}

start_as_system_service() {
  system_unit_text >"$units/$service.service"
  control daemon-reload
  control enable --quiet $service
  control restart $service
  say "The agent runs as the service $service. Its log: journalctl -u $service"
}

start_as_user_service() {
  mkdir -p "$units"
  { unit_text && printf '\n[Install]\nWantedBy=default.target\n'; } >"$units/$service.service"
  control daemon-reload
  control enable --quiet $service
  control restart $service
  say "The agent runs as your service $service. Its log: journalctl --user -u $service"
  loginctl enable-linger >/dev/null 2>&1 ||
    warn "It stops when you sign out. To let it run always: sudo loginctl enable-linger $(id -un)"
}

explain_start() {
  run="$node $home/launch.mjs $config"
  [ "$is_root" = no ] || run="su -s /bin/sh $service -c 'exec $run'"
  say 'This system has no systemd that could start the agent. Start it now, and whenever the device starts, with:'
  say "  $run"
  if [ "$is_new" = no ]; then say 'If the agent is running, stop it first.'; fi
}

install_agent() {
  # No other program gets it in its environment.
  code=${EARSHOT_CODE:-}
  unset EARSHOT_CODE
  check_system
  download
  choose_configuration
  [ "$is_root" = no ] || make_user
  configure
  put_programs
  put_command
  if ! has_systemd; then
    explain_start
  elif [ "$is_root" = yes ]; then
    start_as_system_service
  elif control show-environment >/dev/null 2>&1; then
    start_as_user_service
  else
    explain_start
  fi
  if is_our_command; then say "Its status: $command status"; fi
}

# Its exit code is that of `earshot-agent status`, or 3 if there is no agent.
show_status() {
  if [ ! -e "$home/current" ] || [ ! -e "$config" ]; then
    say "No agent is installed in $home."
    if [ "$is_root" = no ] && [ -e /opt/$service ]; then say 'There is one for the whole system: run this line as root.'; fi
    exit 3
  fi
  has node || fail 'Node is missing: the agent cannot run.'
  node=$(node -p process.execPath)
  grep -q 'status\.json' "$home/current" ||
    fail 'This agent is too old to show its status. Run the installation line again to upgrade it.'
  if [ "$is_root" = no ]; then exec "$node" "$home/current" status "$config" </dev/null; fi
  # As the user of the service, because the service may replace its program.
  exec su -s /bin/sh $service -c "exec $(status_command)" </dev/null
}

# A text of the configuration, empty if it cannot be read. Node may have been removed before the agent.
read_setting() {
  [ -r "$config" ] || return 0
  if has node; then
    node -e 'process.stdout.write(String(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]] || ""))' \
      "$config" "$1" 2>/dev/null || :
  else
    sed -n "s/^  \"$1\": \"\([^\"\\\\]*\)\",\{0,1\}\$/\1/p" "$config" | head -n 1
  fi
}

# The launcher and the agent, however they were started. The same path in a container is another agent.
list_processes() {
  for file in $(grep -lsF "$home/" /proc/[0-9]*/cmdline || :); do
    process=${file%/cmdline}
    case $(tr '\0' '\n' <"$file" 2>/dev/null | sed -n 2p) in
      "$home/launch.mjs" | "$home/versions/"*.mjs)
        if [ "$process/root" -ef / ]; then say "${process#/proc/}"; fi
        ;;
    esac
  done
}

stop_agent() {
  if has_systemd && [ -e "$units/$service.service" ]; then
    control disable --now --quiet $service >/dev/null 2>&1 || :
  fi
  seconds=0
  while processes=$(list_processes) && [ -n "$processes" ]; do
    # It completes the recording that it makes.
    case $seconds in
      0) kill $processes 2>/dev/null || : ;;
      20) kill -9 $processes 2>/dev/null || : ;;
      25) fail "The agent could not be stopped (process $(printf %s "$processes" | tr '\n' ' ')). Nothing was removed." ;;
    esac
    seconds=$((seconds + 1))
    sleep 1
  done
}

remove_programs() {
  rm -rf "$units/$service.service.d"
  rm -f "$units/$service.service" "$units/multi-user.target.wants/$service.service" "$units/default.target.wants/$service.service"
  if has_systemd; then
    control daemon-reload >/dev/null 2>&1 || :
    control reset-failed $service >/dev/null 2>&1 || :
  fi
  rm -f "$command.new"
  if is_our_command; then rm -f "$command"; fi
  rm -rf "$home"
}

# Root does not touch a folder of the configuration, which the service may change: the service itself does.
as_agent() {
  if [ "$is_root" = yes ]; then su -s /bin/sh $service -c "$1" </dev/null; else sh -c "$1"; fi
}

# Of a folder that somebody chose, only what is known to be the agent's is looked at and removed.
list_own() {
  for name in sound joined journal journal.next settings settings.next status.json status.json.next stopped running device; do
    say "$folder/$name"
  done
}

list_recordings() {
  for path in "$state" "$folder/sound"; do
    if [ -d "$path" ]; then find "$path/" -type f \( -name '*.wav' -o -name '*.part' \); fi
  done | sort -u
}

# Recordings that the agent made itself and that are not on the platform; it removes those that are.
choose_recordings() {
  count=$(list_recordings | wc -l | tr -d ' ')
  [ "$count" -gt 0 ] || keep=no
  [ -z "$keep" ] || return 0
  keep=yes
  can_ask || return 0
  ask "Unsent recordings of this device: $count, in $folder. Keep them? [Y/n] "
  case $reply in
    [nN]*) keep=no ;;
  esac
}

remove_recordings() {
  if [ "$keep" = yes ]; then
    # For an installation that follows, so that it does not send them as those of another device.
    if [ -n "$serial" ]; then
      as_agent "printf '%s\\n' $(quoted "$serial") >$(quoted "$folder/device")" 2>/dev/null || :
    fi
    say "Unsent recordings that stay: $count, in $folder. To send them, install the agent again with a code for the same device."
    return 0
  fi
  case $folder in
    "$state" | "$state"/*) ;;
    *)
      list_own | while IFS= read -r path; do as_agent "rm -rf $(quoted "$path")" || warn "$path could not be removed."; done
      rmdir "$folder" 2>/dev/null || :
      ;;
  esac
  # The folder may be a link to another disk.
  if [ -h "$state" ]; then rm -rf "$(readlink -f "$state")"; fi
  rm -rf "$state"
  [ "$count" -eq 0 ] || say "Unsent recordings that were removed: $count."
}

remove_user() {
  if [ "$is_root" = no ] || [ "$keep" = yes ]; then return 0; fi
  grep -qs "^$service:.*:$state:" /etc/passwd || return 0
  if has userdel; then
    userdel $service >/dev/null 2>&1 || warn "The user $service could not be removed."
  elif has deluser; then
    deluser $service >/dev/null 2>&1 || warn "The user $service could not be removed."
  fi
}

explain_key() {
  [ -n "$access_key" ] || return 0
  say "The key $(printf %.8s "$access_key")… of the device $serial works until somebody revokes it:"
  say "  console       $platform/devices, the page of $serial, Settings, Device keys"
  say "  command line  earshot keys list $serial, then: earshot keys delete NUMBER"
  say "  API           DELETE $platform/v1/apikey/NUMBER, signed in as a person"
}

# May be repeated: what is gone already is no error. The configuration goes last, because it tells where the rest is.
uninstall() {
  folder=$(read_setting folder)
  case $folder in
    /*) ;;
    *) folder=$state ;;
  esac
  platform=$(read_setting server)
  serial=$(read_setting deviceSerial)
  access_key=$(read_setting accessKey)
  is_there=yes
  if [ ! -e "$home" ] && [ ! -e "$config" ] && [ ! -e "$units/$service.service" ] && ! is_our_command; then
    is_there=no
    say "No agent is installed in $home."
    if [ "$is_root" = no ] && [ -e /opt/$service ]; then say 'There is one for the whole system: run this line as root.'; fi
  fi
  choose_recordings
  stop_agent
  remove_programs
  remove_recordings
  rm -f "$config" "$config.new" "$config.unreadable"
  rmdir "$config_folder" 2>/dev/null || :
  remove_user
  [ "$is_there" = yes ] || return 0
  say 'The agent is removed. Files in folders that it watched were not touched.'
  explain_key
}

main() {
  task=install_agent
  # yes, no, or empty: ask.
  keep=
  for option in "$@"; do
    case $option in
      --uninstall) task=uninstall ;;
      --status) task=show_status ;;
      --remove-recordings) keep=no ;;
      --keep-recordings) keep=yes ;;
      *)
        warn "$option is not an option. Options: --status, or --uninstall with --keep-recordings or --remove-recordings."
        exit 64
        ;;
    esac
  done
  if [ "$task" != uninstall ] && [ -n "$keep" ]; then fail '--keep-recordings and --remove-recordings belong to --uninstall.'; fi
  [ "$(uname -s)" = Linux ] || fail 'The agent runs on Linux only.'
  choose_places
  "$task"
}

# At the end, so that a script that was not received completely does nothing.
main "$@"
