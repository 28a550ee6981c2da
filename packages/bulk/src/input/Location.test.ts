import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import { nodeFiles } from "../file/Disk.ts"
import { bytesOf, mayContainSecret, nameOf, rangeOf } from "./Location.ts"

const content = Buffer.from(Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join(""))

/** Serves the content, with or without ranges. */
const serve = async (knowsRanges: boolean) => {
  const server = createServer(({ headers, url }, response) => {
    if (url !== "/input?signature=secret") return response.writeHead(404).end()
    const [, from = "", to = ""] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? []
    if (from === "" || !knowsRanges) return response.writeHead(200).end(content)
    return response.writeHead(206).end(content.subarray(Number(from), Number(to) + 1))
  })
  const port = await listenOnLoopback(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

const collect = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

describe("an input with a URL", () => {
  it.each([true, false])(
    "is read as a whole and in parts, whether its server knows ranges or not: %s",
    async (knows) => {
      await using server = await serve(knows)
      const url = `${server.origin}/input?signature=secret`
      assert.isTrue((await collect(bytesOf(nodeFiles, url))).equals(content))
      assert.isTrue((await rangeOf(nodeFiles, url, 4000, 300)).equals(content.subarray(4000, 4300)))
      assert.isTrue((await rangeOf(nodeFiles, url, content.length - 5, 99)).equals(content.subarray(-5)))
      assert.lengthOf(await rangeOf(nodeFiles, url, 10, 0), 0)
    }
  )

  it("is not read where the server does not have it or does not respond", async () => {
    await using server = await serve(true)
    const failure = (url: string) => rangeOf(nodeFiles, url, 0, 1).then(String, (error: Error) => error.message)
    assert.strictEqual(await failure(`${server.origin}/other`), "the server responded with status 404")
    assert.strictEqual(await failure("http://127.0.0.1:1/input?signature=secret"), "the server does not respond")
  })

  it("has a name without what may be secret", () => {
    assert.strictEqual(nameOf("https://u:p@files.test/a/b.csv?signature=s"), "https://files.test/a/b.csv")
    assert.deepStrictEqual(
      ["https://files.test/b.csv", "https://files.test/b.csv?s=1", "https://u@files.test/b.csv", "/a?b.csv"].map(
        mayContainSecret
      ),
      [false, true, true, false]
    )
  })
})
