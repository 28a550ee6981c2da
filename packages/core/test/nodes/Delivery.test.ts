import { runtimes } from "@signalbox/runtimes"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { type Certificates, makeCertificates } from "./Certificates.ts"
import { deliveryPage } from "./DeliveryPage.ts"
import { rowsHere } from "./DeliveryTable.ts"

/** What the calls of a row know: once each, so one where all of them know the same. */
type Deliveries = ReadonlyArray<string>

const minute = 60_000

describe("what is known after getting no answer", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-delivery-"))
  const program = join(folder, "observeDelivery.mjs")
  const authority = join(folder, "authority.pem")
  let certificates: Certificates

  beforeAll(async () => {
    certificates = await makeCertificates()
    writeFileSync(authority, certificates.authority.cert)
    await build({
      entryPoints: [join(import.meta.dirname, "observeDelivery.ts")],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent"
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const observeOn = (executable: string) =>
    new Promise<ReadonlyMap<string, Deliveries>>((resolve, reject) => {
      const child = execFile(
        executable,
        [program],
        { env: { NODE_EXTRA_CA_CERTS: authority }, timeout: minute },
        (error, stdout) => {
          if (error === null) resolve(new Map(Object.entries(JSON.parse(stdout))))
          else reject(error)
        }
      )
      child.stdin?.end(JSON.stringify(certificates))
    })

  describe.concurrent.each(["Node 20", "Node 22", "Node 24"] as const)("on the fetch of %s", (name) => {
    let observed: ReadonlyMap<string, Deliveries>
    beforeAll(async () => {
      observed = await observeOn(runtimes[name])
    }, minute)

    for (const { delivery, name } of rowsHere()) {
      it(`${name}: ${delivery}`, () => {
        assert.deepStrictEqual(observed.get(name), [delivery])
      })
    }
  })
})

it("docs/delivery.md is what the table says (vitest run test/nodes -u writes it)", async () => {
  await expect(deliveryPage()).toMatchFileSnapshot("../../../../docs/delivery.md")
})
