import { assert, describe, it } from "@effect/vitest"
import { generated } from "./Generated.ts"
import { read, trackedFiles } from "./Repository.ts"

/** The cells of tables without their padding, which the formatter adds. */
const unpadded = (text: string): string => text.replaceAll(/ +(?=\|)|(?<=\|) +/g, "").replaceAll(/-{3,}/g, "---")

describe("generated documents are up to date; otherwise run `pnpm --filter @signalbox/documentation run write`", () => {
  it.each(Object.entries(generated))("%s", (path, make) => {
    assert.strictEqual(unpadded(read(path)), unpadded(make()))
  })
})

/** A size, a time or a ratio that reads as measured: a command writes those, into the page of measurements. */
const measured =
  /\b(?:about|costs|saves|takes)\s+\d[\d.,]*\s(?:bytes|[kKM]B|µs|ms|%)|\b\d[\d.,]*\s(?:times|×)\s(?:as|faster|larger|less|more|slower|smaller)\b/gu

/** Pages for users without their examples and generated tables; decisions keep the figures that they were made with. */
const pagesForUsers = trackedFiles().filter(
  (file) =>
    /^(?:docs|packages|apps|README\.md).*\.md$/u.test(file) &&
    !/^docs\/(?:decisions\/|measurements\.md)|CHANGELOG/u.test(file) &&
    !read(file).startsWith("<!-- Generated")
)

const figuresIn = (text: string): ReadonlyArray<string> =>
  Array.from(
    text.replaceAll(/```[^]*?```|<!-- peers: [^]*?-->[^]*?<!--/gu, "").matchAll(measured),
    ([figure]) => figure
  )

describe("figures in pages", () => {
  it("are found where they are typed by hand", () => {
    assert.lengthOf(figuresIn("It takes 12.3 ms and about 90 bytes: 3.5 times faster. At most 41 KB."), 3)
  })

  it("are generated", () => {
    assert.isAbove(pagesForUsers.length, 50)
    assert.deepStrictEqual(
      pagesForUsers.flatMap((file) => figuresIn(read(file)).map((figure) => `${file}: ${figure}`)),
      []
    )
  })
})
