import { assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { type Certificates, makeCertificates } from "./Certificates.ts"
import { deliveryPage } from "./DeliveryPage.ts"
import { reportOf, rowsHere } from "./DeliveryTable.ts"
import { nodeNames, nodeProgram, undiciVersions } from "./NodeProgram.ts"

/** The distinct deliveries that the calls of each row report, by transport: one entry when read and write agree. */
type Deliveries = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>

describe("the delivery of a request without a response", () => {
  const run = nodeProgram("observeDelivery")
  let certificates: Certificates
  beforeAll(async () => {
    certificates = await makeCertificates()
  })

  describe.concurrent.each(nodeNames)("on %s", (node) => {
    let observed: Deliveries
    beforeAll(async () => {
      const { cert } = certificates.authority
      // The output of the program.
      observed = (await run(node, { input: JSON.stringify(certificates), trusted: cert })) as Deliveries
    })

    for (const { advice, delivery, exactDelivery = delivery, isFetchOnly, isHttp2, name } of rowsHere()) {
      it(`${name}: ${delivery}${advice === undefined ? "" : ", not retried"}`, () => {
        const expected = advice === undefined ? delivery : reportOf(delivery, { attempts: 1, advice })
        const { FetchTransport, HttpClientTransport, ...overUndici } = observed[name] ?? {}
        if (!isHttp2) assert.deepStrictEqual([FetchTransport, HttpClientTransport], [[expected], [expected]])
        assert.hasAllKeys(overUndici, isHttp2 ? ["undici 7, HTTP/2"] : undiciVersions(node))
        for (const deliveries of Object.values(overUndici)) {
          if (exactDelivery === "either") assert.includeMembers(["not-sent", "unknown"], [...deliveries])
          else if (isFetchOnly)
            assert.isTrue(deliveries.every((report) => report.startsWith(`${exactDelivery} after 3 `)))
          else assert.deepStrictEqual(deliveries, [advice === undefined ? exactDelivery : expected])
        }
      })
    }
  })
})

it("docs/delivery.md is generated from the table (vitest run test/nodes -u writes it)", async () => {
  await expect(deliveryPage()).toMatchFileSnapshot("../../../../docs/delivery.md")
})
