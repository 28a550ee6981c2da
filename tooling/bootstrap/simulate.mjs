// Runs the simulation; it reads the sources, so that there is nothing to build.
import { become } from "./turbo.mjs"

become("tooling/simulation/src/main.ts", process.argv.slice(2))
