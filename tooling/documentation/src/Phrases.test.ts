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

interface Rule {
  readonly pattern: RegExp
  readonly instead: string
  /** A sentence that breaks the rule. */
  readonly broken: string
}

/** Rules for comments and the names of tests; in code, these words are also names and other languages. */
const sharedRules: ReadonlyArray<Rule> = [
  { pattern: /\bbeside\b/gi, instead: "next to, with, except for", broken: "The pane beside the list." },
  { pattern: /\bis none\b/gi, instead: "is not set, is empty, does not exist", broken: "The port, if there is none." }
]

/** Rules for comments, without margins. A question may start with "What". */
const commentRules: ReadonlyArray<Rule> = [
  {
    pattern: /(?:^|[.:;]\s|\n\n|\n- )(?:Whether what|What|Of the)\b(?![^.?]*\?)/g,
    instead: "a sentence whose subject is a noun",
    broken: "Sent once. What the caller gets."
  },
  ...sharedRules
]

/** Rules for the names of tests. */
const testNameRules: ReadonlyArray<Rule> = [
  {
    pattern: /^(?:says|knows|asks|takes|tells|gives|holds|goes by)\b/g,
    instead: "returns, reports, rejects, accepts, sends or keeps",
    broken: "says why"
  },
  ...sharedRules
]

const matches = ({ pattern }: Rule, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([match]) => match.trim())

interface Piece {
  readonly line: number
  readonly text: string
}

const piecesOf = (source: string, pattern: RegExp): ReadonlyArray<Piece> =>
  Array.from(source.matchAll(pattern), ({ 0: whole, 1: text = whole, index }) => ({
    line: source.slice(0, index).split("\n").length,
    text
  }))

/** The comments that start a line: blocks, and successive lines that start with `//`. */
const commentsOf = (source: string): ReadonlyArray<Piece> =>
  piecesOf(source, /^[ \t]*\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm).map(({ line, text }) => ({
    line,
    text: withoutMargins(text.replaceAll(/\/\*+|\*+\/$/g, "")).trim()
  }))

/** The names of tests and of groups of tests: the first strings of calls such as `it("…")`, `it.effect("…")` and `it.each(cases)("…")`. */
const testNamesOf = (source: string): ReadonlyArray<Piece> =>
  piecesOf(source, /(?:\b(?:describe|it)(?:\.\w+)*|\))\(\s*["`]([^"`]*)/g)

const brokenRules = (file: string): ReadonlyArray<string> => {
  const source = read(file)
  const found = (pieces: ReadonlyArray<Piece>, rules: ReadonlyArray<Rule>) =>
    pieces.flatMap(({ line, text }) =>
      rules.flatMap((rule) => matches(rule, text).map((match) => `${file}:${line} "${match}": write ${rule.instead}`))
    )
  const tests = file.includes(".test.") ? found(testNamesOf(source), testNameRules) : []
  return [...found(commentsOf(source), commentRules), ...tests]
}

/** The descriptions of `openapi.json`, whose wording is part of that document, and the models generated from them. */
const isApiDocument = (file: string): boolean => /^packages\/core\/src\/(?:contract|models)\//.test(file)

const isSource = (file: string): boolean => isProse(file) && !/\.mdx?$/.test(file) && !isApiDocument(file)

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

  it.each([...new Set([...commentRules, ...testNameRules])])("finds $broken", (rule) => {
    assert.lengthOf(matches(rule, rule.broken), 1)
    assert.deepStrictEqual(matches(rule, "Returns the outcome. What happens then? It is reported."), [])
  })

  it("finds comments and test names with their lines", () => {
    const source = '/**\n * One\n * comment.\n */\nconst a = 1\n// Another\n// one\nit.effect(\n  "a name", () =>'
    assert.deepStrictEqual(commentsOf(source), [
      { line: 1, text: "One\ncomment." },
      { line: 6, text: "Another\none" }
    ])
    assert.deepStrictEqual(testNamesOf(source), [{ line: 8, text: "a name" }])
  })

  it.each([...Map.groupBy(trackedFiles().filter(isSource), folderOf)])(
    "%s has comments and test names in plain English",
    (_, files) => {
      assert.deepStrictEqual(files.flatMap(brokenRules), [])
    }
  )

  it.each([...byFolder])("%s has no phrase of phrases.txt", (_, files) => {
    const found = files.flatMap(foundIn)
    assert.deepStrictEqual(
      found.map(({ instead, phrase, place }) => `${place} "${phrase}": write ${instead}`),
      []
    )
  })
})
