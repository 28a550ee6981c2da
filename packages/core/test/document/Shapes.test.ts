import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { lists } from "../../writeLists.ts"
import { interfacesFile, interfacesText, schemasFile, schemasText } from "../../writeModels.ts"
import { positionsFile, positionsText } from "../../writePositions.ts"
import { shapesFile, shapesText } from "../../writeReaders.ts"

it.each([
  ...Object.entries(lists).map(([path, text]) => [path, new URL(`../../${path}`, import.meta.url), text] as const),
  ["the models", interfacesFile, interfacesText],
  ["the schemas of responses", schemasFile, schemasText],
  ["the tables of the reader", shapesFile, shapesText],
  ["the positions of secrets and identifiers", positionsFile, positionsText]
] as const)(
  "%s are generated from the contract; `pnpm --filter @signalbox/core run readers` writes them",
  (_, file, text) => {
    assert.strictEqual(readFileSync(file, "utf8"), text())
  }
)
