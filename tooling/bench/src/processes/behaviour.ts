import { probedClients } from "../ProbedClient.ts"
import { probes } from "../Probes.ts"

const observations: Record<string, Record<string, string>> = {}
for (const { name, observe } of probes) {
  const outcomes = probedClients.map(async (client) => [client.name, await observe(client)] as const)
  observations[name] = Object.fromEntries(await Promise.all(outcomes))
}
process.send?.(observations)
