import { assert, describe, it } from "@effect/vitest"
import { operationNames } from "@signalbox/core/Operations"
import { apiPage } from "./ApiPage.ts"
import { operations } from "./OpenApi.ts"
import { read, trackedFiles } from "./Repository.ts"

const headings = (() => {
  let section = ""
  return new Set(
    [...apiPage().matchAll(/^(##|###) (.+)$/gm)].map(([, level, heading = ""]) => {
      if (level === "##") section = heading
      return level === "##" ? heading : `${section}, ${heading}`
    })
  )
})()

const citation = /API document: ([^)]+)\)|API document has (?:them|it) \(([^)]+)\)|\browsAbout\(\s*"([^"]+)"/g

/** The sections that a file cites, as `Section` or `Section, Subsection`; line breaks inside of comments are joined. */
const citedIn = (file: string): ReadonlyArray<string> =>
  [
    ...read(file)
      .replaceAll(/\s*\n\s*\*\s+/g, " ")
      .matchAll(citation)
  ].flatMap(([, ...groups]) => {
    const [section = "", ...subsections] = groups.find((group) => group !== undefined)?.split(/, | and (?=[A-Z])/) ?? [
      ""
    ]
    return subsections.length === 0 ? [section] : subsections.map((subsection) => `${section}, ${subsection}`)
  })

describe("docs/api.md", () => {
  it("has every operation", () => {
    assert.sameMembers(
      operations.map(({ operationId }) => operationId),
      [...operationNames]
    )
  })

  it("has every section that code and switches cite", () => {
    const cited = trackedFiles()
      .filter((file) => /^(?:packages|apps)\/.*\/src\/.*\.tsx?$/.test(file))
      .flatMap((file) => citedIn(file).map((section) => ({ file, section })))
    assert.isAbove(cited.length, 200)
    assert.deepStrictEqual(
      cited.filter(({ section }) => !headings.has(section)),
      []
    )
  })
})
