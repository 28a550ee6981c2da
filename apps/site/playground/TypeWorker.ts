/**
 * The type service in a worker: the compiler is large, and a check takes long.
 */
import { makeTypeService, type TypeService } from "./TypeService.ts"

/** A question to the service. */
export interface TypeQuestion {
  readonly id: number
  readonly name: keyof TypeService
  readonly values: ReadonlyArray<unknown>
}

/** An answer; without a value, the service could not be loaded. */
export interface TypeAnswer {
  readonly id: number
  readonly value?: unknown
}

const read = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  // The build writes this file: the text of each declaration file by its path.
  return new Map(Object.entries((await response.json()) as Record<string, string>))
}

const own = read("/playground/types.json")
let ofEffect: ReadonlyMap<string, string> | undefined
let service: Promise<TypeService> | undefined

/** The service. Effect's declarations are large, so only programs that import it load them. */
const serviceFor = async (code: string): Promise<TypeService> => {
  if (ofEffect === undefined && /"(?:effect\/|@signalbox\/[\w-]+\/effect)/.test(code)) {
    ofEffect = await read("/playground/types-effect.json")
    service = undefined
  }
  service ??= own.then((declarations) => makeTypeService(new Map([...declarations, ...(ofEffect ?? [])])))
  return service
}

addEventListener("message", ({ data: { id, name, values } }: MessageEvent<TypeQuestion>) => {
  const answer = async (): Promise<TypeAnswer> => {
    const [sources] = values
    const found = await serviceFor(JSON.stringify(sources).replaceAll('\\"', '"'))
    // The client passes the values of the function that it names.
    const ask = found[name] as (...given: ReadonlyArray<unknown>) => unknown
    return { id, value: ask(...values) ?? null }
  }
  answer().then(
    (message) => postMessage(message),
    () => postMessage({ id })
  )
})
