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

/** A part of an input; shorter where the input ends before. */
export const rangeOf = async (disk: Files, location: string, offset: number, bytes: number): Promise<Buffer> => {
  if (bytes === 0) return Buffer.alloc(0)
  let skip = 0
  let source: AsyncIterable<Buffer>
  if (isUrl(location)) {
    const response = await get(location, `bytes=${offset}-${offset + bytes - 1}`)
    // A server that does not know ranges sends everything.
    if (response.status !== 206) skip = offset
    source = bodyOf(response)
  } else source = disk.read(location, offset)
  const found: Array<Buffer> = []
  let missing = bytes
  for await (const chunk of source) {
    const wanted = chunk.subarray(Math.min(skip, chunk.length), Math.min(skip, chunk.length) + missing)
    skip = Math.max(0, skip - chunk.length)
    found.push(wanted)
    missing -= wanted.length
    if (missing === 0) break
  }
  return Buffer.concat(found)
}
