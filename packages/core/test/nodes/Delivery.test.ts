import { assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { type Certificates, makeCertificates } from "./Certificates.ts"
import { deliveryPage } from "./DeliveryPage.ts"
import { rowsHere } from "./DeliveryTable.ts"
import { nodeNames, nodeProgram, patience } from "./NodeProgram.ts"

/** The distinct deliveries that the calls of each row report: one entry when all agree. */
type Deliveries = Readonly<Record<string, ReadonlyArray<string>>>

describe("the delivery of a request without a response", () => {
  const run = nodeProgram("observeDelivery")
  let certificates: Certificates
  beforeAll(async () => {
    certificates = await makeCertificates()
  })

  describe.concurrent.each(nodeNames)("on the fetch of %s", (node) => {
    let observed: Deliveries
    beforeAll(async () => {
      const { cert } = certificates.authority
      // What the program prints.
      observed = (await run(node, { input: JSON.stringify(certificates), trusted: cert })) as Deliveries
    }, patience)

    for (const { delivery, name } of rowsHere()) {
      it(`${name}: ${delivery}`, () => {
        assert.deepStrictEqual(observed[name], [delivery])
      })
    }
  })
})

it("docs/delivery.md is generated from the table (vitest run test/nodes -u writes it)", async () => {
  await expect(deliveryPage()).toMatchFileSnapshot("../../../../docs/delivery.md")
})
