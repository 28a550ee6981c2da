import { buildForNode } from "@signalbox/node-build/NodeBuild"

await buildForNode(import.meta.dirname)
