/** Playing a program on a surface. */
import { createFake, type Fake, type JournalEntry, type RequestOutcome } from "../../src/index.ts"
import { listen } from "../../src/server.ts"
import { type Client, fetchClient, layerClient, type Sent, type UnderWay } from "./Client.ts"
import { type Ask, type Asked, faultOf, messageId, presets, type Program, requests, switchesOf } from "./Program.ts"
import { makeProgramClock, type ProgramClock } from "./ProgramClock.ts"

/** Everything that a program left behind. */
export interface Record {
  readonly outcomes: ReadonlyArray<unknown>
  readonly journal: ReadonlyArray<unknown>
  readonly state: string
}

const makeWorld = (program: Program) => {
  const clock = makeProgramClock()
  const fake = createFake({
    seed: program.seed,
    preset: presets[program.preset] ?? "document",
    switches: switchesOf(program),
    data: "empty",
    clock
  })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  for (const subscriberId of ["ana", "bö / x"]) fake.addSubscriber({ subscriberId })
  for (const number of [1, 2, 3]) fake.addMessage({ subscriberId: "ana", id: messageId(number) })
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }, { type: "in_app" }] })
  fake.trigger({ workflow: "welcome", to: "ana" })
  return { clock, fake }
}

const sentOf = (
  { apiKey, body, contentType, method, path }: Asked,
  key: Ask["key"],
  fake: Fake,
  url: string
): Sent => ({
  method,
  url: `${url}${path}`,
  body,
  headers: {
    ...(apiKey === "none" ? {} : { authorization: `ApiKey ${apiKey === "wrong" ? "stranger" : fake.apiKey}` }),
    ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key })
  }
})

/** Resolves once the journal fits, or when nothing will be written any more. */
const journalled = (fake: Fake, fits: () => boolean, settled: Promise<unknown>): Promise<unknown> => {
  if (fits()) return Promise.resolve()
  const written = new Promise<void>((resolve) => {
    const stop = fake.journal.subscribe(() => {
      if (!fits()) return
      stop()
      resolve()
    })
  })
  return Promise.race([written, settled])
}

const isStuck = (outcome: RequestOutcome): boolean =>
  outcome._tag === "Pending" ||
  ((outcome._tag === "NoResponse" || outcome._tag === "CutResponse") && outcome.failure === "hang")

/** Lets time pass until nothing more is due. */
const passTime = async (clock: ProgramClock): Promise<void> => {
  // A promise that is due runs before the next thing happens, as in a process that is not busy.
  while (clock.step()) await new Promise((resolve) => setImmediate(resolve))
}

interface Arrived extends UnderWay {
  /** `undefined` for a request that its environment never saw. */
  readonly entry: JournalEntry | undefined
}

const arrive = async (fake: Fake, client: Client, sent: Sent): Promise<Arrived> => {
  const before = fake.journal.entries().length
  const underWay = client(sent)
  await journalled(fake, () => fake.journal.entries().length > before, underWay.outcome)
  return { ...underWay, entry: fake.journal.entries()[before] }
}

const end = async (fake: Fake, { entry, head, leave, outcome }: Arrived): Promise<unknown> => {
  if (entry !== undefined && isStuck(entry.outcome)) {
    if (entry.outcome._tag === "CutResponse") await head
    leave()
    await journalled(fake, () => entry.endedAt !== undefined, new Promise(() => {}))
  }
  return outcome
}

const play = async (
  program: Program,
  fake: Fake,
  clock: ProgramClock,
  url: string,
  client: Client
): Promise<Record> => {
  const outcomes: Array<unknown> = []
  for (const step of program.steps) {
    switch (step._tag) {
      case "Arm":
        fake.faults.add(faultOf(step))
        break
      case "Wait":
        clock.advance(step.millis)
        break
      case "Ask": {
        const arrived: Array<Arrived> = []
        for (const { key, request } of step.together) {
          const asked: Asked = requests[request] ?? requests[0]
          arrived.push(await arrive(fake, client, sentOf(asked, key, fake, url)))
        }
        await passTime(clock)
        for (const one of arrived) outcomes.push(await end(fake, one))
      }
    }
  }
  return {
    outcomes,
    journal: fake.journal.entries().map((entry) => {
      // Clients add headers of their own, and the surface is what differs.
      const { headers: _headers, surface: _surface, ...rest } = JSON.parse(JSON.stringify(entry)) as JournalEntry
      return rest
    }),
    state: JSON.stringify(fake.state())
  }
}

/** Plays a program on the Layer, on `fetch` and over HTTP, each with a separate fake. */
export const surfaces = {
  layer: (program: Program): Promise<Record> => {
    const { clock, fake } = makeWorld(program)
    return play(program, fake, clock, fake.baseUrl, layerClient(fake))
  },
  fetch: (program: Program): Promise<Record> => {
    const { clock, fake } = makeWorld(program)
    return play(program, fake, clock, fake.baseUrl, fetchClient(fake.fetch))
  },
  server: async (program: Program): Promise<Record> => {
    const { clock, fake } = makeWorld(program)
    await using server = await listen(fake)
    return await play(program, fake, clock, server.url, fetchClient(globalThis.fetch))
  }
}
