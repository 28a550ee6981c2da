import { createClientFromEnv } from "@signalbox/sdk"
import { report } from "./report.ts"

const day = 24 * 60 * 60 * 1000

await using client = createClientFromEnv()
await report(client, ".", new Date(Date.now() - day).toISOString())
