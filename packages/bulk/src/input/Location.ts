/**
 * Where an input is: the path of a file, or an http or https URL.
 */
import type { Files } from "../file/Disk.ts"

/** Whether a location is a URL; anything else is the path of a file. */
export const isUrl = (location: string): boolean => /^https?:\/\//iu.test(location)

/** Whether a location may contain a secret: a URL with a password or a query, such as a signature. */
export const mayContainSecret = (location: string): boolean => isUrl(location) && nameOf(location) !== location

/** The location for messages and status; a URL appears without user name, password and query. */
export const nameOf = (location: string): string => {
  if (!isUrl(location) || !URL.canParse(location)) return location
  const { host, pathname, protocol } = new URL(location)
  return `${protocol}//${host}${pathname}`
}

/** A server that does not send the input. */
class BadResponse extends Error {}

/** A server may take this long for its first byte, and then for each further part. */
const silenceMs = 60_000

/** Waits for the next sign of a server. */
const soon = async <A>(sign: Promise<A>, onSilence: () => void): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new BadResponse(`the server sent nothing for ${silenceMs / 1000} s`))
      onSilence()
    }, silenceMs)
  })
  try {
    return await Promise.race([sign, silence])
  } catch (cause) {
    // The message of the platform may quote the URL.
    throw cause instanceof BadResponse ? cause : new BadResponse("the server does not respond")
  } finally {
    clearTimeout(timer)
  }
}

const maxRedirects = 5

/** Where a redirect leads; other hosts, and a way without encryption, must not get the credentials or the request. */
const targetOf = (from: URL, location: string | null): URL => {
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined
  const isSafe = to?.host === from.host && (to.protocol === "https:" || to.protocol === from.protocol)
  if (to !== undefined && isSafe) return to
  const where = to === undefined ? "an invalid address" : to.origin
  throw new BadResponse(`the server redirects to ${where}; use the final URL`)
}

const credentialsOf = ({ password, username }: URL): Readonly<Record<string, string>> => {
  if (username === "" && password === "") return {}
  const pair = [username, password].map(decodeURIComponent).join(":")
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }
}

const get = async (location: string, range: string | undefined): Promise<Response> => {
  let url = new URL(location)
  // A compressed response has other offsets. `fetch` refuses URLs with credentials.
  const headers = {
    ...credentialsOf(url),
    "accept-encoding": "identity",
    ...(range === undefined ? {} : { range })
  }
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    url.username = url.password = ""
    const controller = new AbortController()
    const { signal } = controller
    const response = await soon(fetch(url, { signal, headers, redirect: "manual" }), () => controller.abort())
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status < 300 || response.status > 399) {
      throw new BadResponse(`the server responded with status ${response.status}`)
    }
    url = targetOf(url, response.headers.get("location"))
  }
  throw new BadResponse(`the server redirects more than ${maxRedirects} times`)
}

async function* bodyOf({ body }: Response): AsyncGenerator<Buffer, void> {
  if (body === null) return
  const reader = body.getReader()
  const cancel = () => reader.cancel().catch(() => {})
  try {
    while (true) {
      const { done, value } = await soon(reader.read(), () => void cancel())
      if (done) return
      yield Buffer.from(value)
    }
  } finally {
    await cancel()
  }
}

/** The bytes of an input. */
export async function* bytesOf(disk: Files, location: string): AsyncGenerator<Buffer, void> {
  yield* isUrl(location) ? bodyOf(await get(location, undefined)) : disk.read(location)
}

/** A part of an input. */
interface ByteRange {
  readonly offset: number
  readonly bytes: number
}

const cut = async (source: AsyncIterable<Buffer>, ranges: ReadonlyArray<ByteRange>): Promise<Buffer> => {
  const found: Array<Buffer> = []
  let position = 0
  let next = 0
  for await (const chunk of source) {
    for (let range = ranges[next]; range !== undefined; range = ranges[next]) {
      const end = range.offset + range.bytes - position
      found.push(chunk.subarray(Math.max(0, range.offset - position), end))
      if (end > chunk.length) break
      next++
    }
    position += chunk.length
    if (next === ranges.length) break
  }
  return Buffer.concat(found)
}

const largestRead = 256 * 1024

const rangeOf = async (disk: Files, location: string, { bytes, offset }: ByteRange): Promise<Buffer> => {
  if (!isUrl(location)) {
    return cut(disk.read(location, offset, Math.min(bytes, largestRead)), [{ offset: 0, bytes }])
  }
  const response = await get(location, `bytes=${offset}-${offset + bytes - 1}`)
  // A server that does not know ranges sends everything.
  return cut(bodyOf(response), [{ offset: response.status === 206 ? 0 : offset, bytes }])
}

/** Ranges that are read at once. */
const rangesAtOnce = 16

/** Parts of an input, one after another; shorter where the input ends before. */
export const rangesOf = async (disk: Files, location: string, ranges: ReadonlyArray<ByteRange>): Promise<Buffer> => {
  const wanted = ranges.filter(({ bytes }) => bytes > 0)
  const found: Array<Buffer> = []
  for (let at = 0; at < wanted.length; at += rangesAtOnce) {
    const some = wanted.slice(at, at + rangesAtOnce)
    found.push(...(await Promise.all(some.map((range) => rangeOf(disk, location, range)))))
  }
  return Buffer.concat(found)
}
