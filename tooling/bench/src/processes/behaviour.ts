import { probedClients } from "../ProbedClient.ts"
import { probes } from "../Probes.ts"
import type { Observation } from "../Row.ts"

const observations: Array<Observation> = []
for (const probe of probes) {
  const outcomes = await Promise.all(
    probedClients.map(async (client) => ({ client: client.name, outcome: await probe.observe(client) }))
  )
  for (const { client, outcome } of outcomes) observations.push({ probe: probe.name, client, outcome })
}
process.send?.(observations)
