import { assert, describe, it } from "@effect/vitest"
import { read, trackedFiles } from "./Repository.ts"

const phrases = read("tooling/documentation/phrases.txt")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [phrase = "", instead = ""] = line.split(" | ")
    return { phrase, instead, pattern: new RegExp(`\\b${phrase.replaceAll(" ", "\\s+")}\\b`, "gi") }
  })

const isProse = (file: string): boolean => /\.(?:ts|tsx|mjs|md|mdx)$/.test(file) && !file.endsWith("Phrases.test.ts")

/** A comment over several lines as one line each, with the numbers of the lines left unchanged. */
const withoutMargins = (text: string): string => text.replaceAll(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, "")

interface Found {
  readonly place: string
  readonly phrase: string
  readonly instead: string
}

const foundIn = (file: string): ReadonlyArray<Found> => {
  const text = withoutMargins(read(file))
  return phrases.flatMap(({ instead, pattern, phrase }) =>
    Array.from(text.matchAll(pattern), ({ index }) => ({
      place: `${file}:${text.slice(0, index).split("\n").length}`,
      phrase,
      instead
    }))
  )
}

/** The package or guide of a file. */
const folderOf = (file: string): string => file.split("/").slice(0, 2).join("/")

const byFolder = Map.groupBy(trackedFiles().filter(isProse), folderOf)

describe("plain English", () => {
  it("has phrases to search for, each with a suggestion", () => {
    assert.isAbove(phrases.length, 15)
    assert.deepStrictEqual(
      phrases.filter(({ instead }) => instead === ""),
      []
    )
  })

  it.each([...byFolder])("%s has no phrase of phrases.txt", (_, files) => {
    const found = files.flatMap(foundIn)
    assert.deepStrictEqual(
      found.map(({ instead, phrase, place }) => `${place} "${phrase}": write ${instead}`),
      []
    )
  })
})
