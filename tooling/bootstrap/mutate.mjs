// Measures mutation scores; it reads the sources, so there is nothing to build.
import { become } from "./turbo.mjs"

become("tooling/mutation/src/main.ts", process.argv.slice(2))
