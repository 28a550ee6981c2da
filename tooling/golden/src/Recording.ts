/**
 * A `fetch` that records requests as HTTP and gives one response to all of them.
 */

/** The key of the recorded requests; recordings show `<api key>` instead. */
export const apiKey = "golden-api-key"

/** The version of Node differs between machines. */
export const withoutRuntime = (text: string): string => text.replaceAll(/\(node [\d.]+\)/gu, "(<runtime>)")

const textOf = async (request: Request): Promise<string> => {
  const url = new URL(request.url)
  const headers = [...request.headers].map(
    ([name, value]) => `${name}: ${withoutRuntime(value.replace(apiKey, "<api key>"))}`
  )
  const body = await request.text()
  return [
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...headers.toSorted(),
    "",
    ...(body === "" ? [] : [body, ""])
  ].join("\n")
}

/** The response of a recording. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Records requests. */
export const makeRecording = (answer: Answer) => {
  const requests: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(await textOf(new Request(input, init)))
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body)
    return new Response(text, { status: answer.status, headers: { ...answer.headers } })
  }
  return { requests, fetch }
}
