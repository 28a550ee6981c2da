import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Certificates, makeCertificates } from "./Certificates.ts"
import { stagesHere } from "./InterruptionTable.ts"
import { nodeNames, nodeProgram, undiciVersions } from "./NodeProgram.ts"

/** The distinct deliveries that ended writes report, by stage and transport: one when interruption and timeout agree. */
type Observed = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>

describe("an interruption or a timeout closes the connection, and reports whether the request was sent", () => {
  const run = nodeProgram("observeInterruption")
  let certificates: Certificates
  beforeAll(async () => {
    certificates = await makeCertificates()
  })

  describe.each(nodeNames)("on %s", (node) => {
    let observed: Observed
    beforeAll(async () => {
      const { cert } = certificates.authority
      // The output of the program.
      observed = (await run(node, { input: JSON.stringify(certificates), trusted: cert })) as Observed
    })

    for (const { exactDelivery, isHttp2, isQueued, name } of stagesHere()) {
      it(`${name}: ${exactDelivery}`, () => {
        const { FetchTransport, HttpClientTransport, ...overUndici } = observed[name] ?? {}
        if (!isHttp2 && !isQueued)
          assert.deepStrictEqual([FetchTransport, HttpClientTransport], [["unknown"], ["unknown"]])
        assert.hasAllKeys(overUndici, isHttp2 ? ["undici 7, HTTP/2"] : undiciVersions(node))
        for (const deliveries of Object.values(overUndici)) assert.deepStrictEqual(deliveries, [exactDelivery])
      })
    }
  })
})
