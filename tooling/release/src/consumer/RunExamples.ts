// Imports the modules in its arguments, with a server of the fake that the environment names, and prints which failed.
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import process from "node:process"

const fake = createFake({ seed: 7 })
await using server = await listen(fake)
Object.assign(process.env, { SIGNALBOX_API_KEY: fake.apiKey, SIGNALBOX_BASE_URL: server.url })

const failed: Record<string, string> = {}
for (const file of process.argv.slice(2)) {
  await import(`./${file}`).catch((error: unknown) => {
    failed[file] = String(error)
  })
}
console.log(JSON.stringify(failed))
