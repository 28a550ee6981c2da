// After `tsc`: the files that Node loads.
import { buildForNode } from "@signalbox/node-build/NodeBuild"

await buildForNode(import.meta.dirname)
