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

const timeoutMs = 60_000

const get = async (url: string, range: string | undefined): Promise<Response> => {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    // A compressed response has other offsets.
    headers: { "accept-encoding": "identity", ...(range === undefined ? {} : { range }) }
  }).catch(() => {
    // The message of the platform may quote the URL.
    throw new BadResponse("the server does not respond")
  })
  if (response.ok) return response
  await response.body?.cancel()
  throw new BadResponse(`the server responded with status ${response.status}`)
}

async function* bodyOf({ body }: Response): AsyncGenerator<Buffer, void> {
  if (body === null) return
  for await (const bytes of body) yield Buffer.from(bytes)
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
