/**
 * The exports of the libraries, for the search.
 */
import { readFileSync } from "node:fs"
import type { ReferenceSidebar } from "./Reference.ts"

/** An export with its page. */
export interface LibrarySymbol {
  readonly name: string
  readonly library: string
  readonly route: string
}

/** Each name once: an entry point that repeats one of an earlier library adds nothing to find. */
export const symbols = (): ReadonlyArray<LibrarySymbol> => {
  const sidebars: ReadonlyArray<ReferenceSidebar> = JSON.parse(
    readFileSync(new URL("../src/reference.json", import.meta.url), "utf8")
  )
  const found = new Map<string, LibrarySymbol>()
  // Most users know the SDK and the fake only.
  const order = ["@signalbox/sdk", "@signalbox/test-harness", ""]
  const rank = ({ specifier }: ReferenceSidebar) => order.findIndex((start) => specifier.startsWith(start))
  for (const { groups, specifier } of sidebars.toSorted((a, b) => rank(a) - rank(b))) {
    for (const { name, route } of groups.flatMap(({ exports }) => exports)) {
      if (!found.has(name)) found.set(name, { name, library: specifier, route })
    }
  }
  return [...found.values()]
}
