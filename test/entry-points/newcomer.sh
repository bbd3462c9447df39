#!/usr/bin/env bash
# Times a new user's way from an empty folder to a green Vitest test against a session, in five commands; twice, first
# with an empty npm cache. Needs a network. It takes minutes, so it is run by hand: test/entry-points/newcomer.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" >/dev/null 2>&1
package=$(echo "$folder"/*.tgz)
export npm_config_cache=$folder/cache CI=true NO_COLOR=1
unset npm_config_nodedir

run_five_commands() {
  local before=${EPOCHREALTIME/./} after
  cd "$(mktemp --directory --tmpdir="$folder")"
  npm create --yes vite@latest app -- --template vanilla-ts --no-interactive
  cd app
  npm install --save-dev "$package" vitest
  npx workspace-sandbox init --vitest
  npx vitest run
  after=${EPOCHREALTIME/./}
  seconds=$(((after - before + 500000) / 1000000))
}

for cache in empty warm; do
  if ! run_five_commands >"$folder/$cache.log" 2>&1; then
    cat "$folder/$cache.log"
    exit 1
  fi
  echo "npm cache $cache: $seconds s, $(grep --only-matching 'Tests .*' "$folder/$cache.log")"
done
