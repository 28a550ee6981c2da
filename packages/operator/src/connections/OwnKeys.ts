/**
 * Keeps the API keys of an app out of all that it shows and stores. The client removes a key from its errors; a service
 * can also repeat it in its records, and a crash can happen anywhere.
 */
import { makeRedaction, type Redaction } from "@signalbox/core/Redaction"
import { type ResponseHead, Transport, TransportError } from "@signalbox/core/Transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

// All keys of the process, since a report of a crash does not know which connection it is about.
const keys = new Set<string>()
let redaction = makeRedaction([])
let ofMessages = redaction

/** Keeps this key out of {@link layer}'s responses and of every outlet, from now on. */
export const protectKey = (key: Redacted.Redacted<string>): void => {
  keys.add(Redacted.value(key))
  redaction = makeRedaction([...keys])
  ofMessages = makeRedaction([...keys], [...keys])
}

/** Removes the keys of this process: in messages also a key that is a word, which in data could be a value. */
export const ownRedaction = (of: "data" | "messages" = "data"): Redaction => (of === "data" ? redaction : ofMessages)

const inHead = ({ headers, status }: ResponseHead): ResponseHead => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : redaction.exact(value)])
  )
})

const inError = (error: TransportError): TransportError => {
  const { cause, partial } = error
  // Those two are not enumerable.
  return partial === undefined ? error : new TransportError({ ...error, cause, partial: inHead(partial) })
}

/**
 * Sends with the transport below it, and removes the keys of this process from responses before anything reads them: no
 * screen, list, export, report, journal or recording can then contain one.
 */
export const layer: Layer.Layer<Transport, never, Transport> = Layer.effect(
  Transport,
  Effect.map(Transport, ({ send, ...facts }) =>
    Transport.of({
      ...facts,
      send: (request, onProgress) =>
        send(request, (head) => onProgress?.(head && inHead(head))).pipe(
          Effect.map((response) => ({ ...inHead(response), text: redaction.exact(response.text) })),
          Effect.mapError(inError)
        )
    })
  )
)
