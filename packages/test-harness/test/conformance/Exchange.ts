/**
 * Requests exactly as a row states them, over a socket, and their responses.
 */
import { request as send } from "node:http"

/** A request, and what the recorded service answered. */
export interface Row {
  /** Method and target, verbatim. */
  readonly send: string
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown
  readonly status: number
  /** Message of an error. */
  readonly message?: string
  /** The content of the error besides its message: its `ctx`, which is also part of the body; `none` for no `ctx`. */
  readonly context?: "title" | "status" | "none" | Readonly<Record<string, unknown>>
  /** All messages of invalid input. */
  readonly messages?: ReadonlyArray<string>
  /** The filter that only the operation rejects, and its value. */
  readonly filter?: { readonly name: string; readonly value: unknown }
  /** Number of records in a page. */
  readonly records?: number
  /** Fields of the body, or of `data` in an envelope. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Stored credentials of a provider after a write. */
  readonly stored?: Readonly<Record<string, unknown>>
  /** Response headers; `absent` for one that must not be there. */
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** The value of a header that a row does not send, or that a response does not have. */
export const absent = "absent"

/** A response; the body is JSON where it can be read as such. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: unknown
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends a row; `fetch` would change paths and headers. */
export const exchange = (port: number, apiKey: string, row: Pick<Row, "send" | "headers" | "body">): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [method = "GET", path = "/"] = row.send.split(" ")
    const body = row.body === undefined || typeof row.body === "string" ? row.body : JSON.stringify(row.body)
    const headers = Object.entries({
      authorization: `ApiKey ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      "content-length": String(Buffer.byteLength(body ?? "")),
      ...row.headers
    }).filter(([, value]) => value !== absent)
    const request = send({ port, method, path, headers: Object.fromEntries(headers), agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: parsed(Buffer.concat(chunks).toString("utf8"))
        })
      )
    })
    request.on("error", reject)
    request.end(body)
  })
