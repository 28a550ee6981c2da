// Builds what is out of date and runs the benchmarks.
import { become, build } from "./turbo.mjs"

build()
become("tooling/bench/src/main.ts", process.argv.slice(2))
