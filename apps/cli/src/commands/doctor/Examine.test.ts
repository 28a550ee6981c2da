import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run, serveFake } from "../../../test/CommandLineTest.ts"

/** Ports that `fetch` blocks, as browsers do; other programs of the machine may use one. */
const blocked = [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697]

describe("doctor", () => {
  it.effect("names a proxy that is set and not used where a call fails", () =>
    Effect.gen(function* () {
      const served = yield* Effect.promise(() => serveFake())
      yield* Effect.addFinalizer(() => Effect.promise(() => served.close()))
      const environment = {
        ...served.environment,
        SIGNALBOX_API_KEY: "a-key-of-nothing",
        HTTP_PROXY: "http://127.0.0.1:2"
      }
      const { stdout } = yield* run(["doctor"], { columns: 120, environment })
      assert.match(stdout, /proxy\s+warning\s+HTTP_PROXY is set and requests do not use it/u)
    })
  )

  it.effect("sends like every other command, also to a port that `fetch` blocks", () =>
    Effect.gen(function* () {
      const served = yield* Effect.promise(() => serveFake())
      yield* Effect.addFinalizer(() => Effect.promise(() => served.close()))
      const forward = async (request: IncomingMessage, response: ServerResponse) => {
        const headers = { authorization: request.headers.authorization ?? "" }
        const answer = await served.fake.fetch(`${served.fake.baseUrl}${request.url}`, { headers })
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.end(await answer.text())
      }
      const server = createServer((request, response) => void forward(request, response))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const port = yield* Effect.promise(async () => {
        for (const each of blocked) {
          server.listen(each, "127.0.0.1")
          const isListening = await once(server, "listening").then(
            () => true,
            () => false
          )
          if (isListening) return each
        }
        throw new Error("no blocked port is free")
      })
      const environment = { ...served.environment, SIGNALBOX_BASE_URL: `http://127.0.0.1:${port}` }
      const { stdout } = yield* run(["doctor"], { columns: 120, environment })
      assert.notInclude(stdout, "bad port")
      assert.match(stdout, /key\s+ok/u)
    })
  )
})
