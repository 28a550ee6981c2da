// The packages whose tests `npm test` runs: those with a script `test`. Their scripts `verify`, and those of all other packages,
// start processes, browsers, databases and other runtimes, for `npm run verify`.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./programs.mjs"

export const testedInProcess = ["packages", "apps", "tooling"]
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name, "package.json")))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, "utf8")))
  .filter(({ scripts }) => scripts?.test !== undefined)
  .map(({ name }) => name)
