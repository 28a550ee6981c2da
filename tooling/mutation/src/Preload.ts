/**
 * Loads the files of the sample before the tests. Tests that import a module while they run share it: without this, code
 * that runs once, while the module loads, would count as run by the first of them alone.
 */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { sampleVariable } from "./SampleVariable.ts"

const root = resolve(import.meta.dirname, "../../..")
// Written by Run.ts.
const keys = JSON.parse(readFileSync(process.env[sampleVariable] ?? "", "utf8")) as ReadonlyArray<string>
for (const file of new Set(keys.map((key) => key.split(" ", 1)[0] ?? ""))) {
  await import(resolve(root, file))
}
