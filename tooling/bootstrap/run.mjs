// Runs a program of the workspace that reads the sources, so that there is nothing to build: `run.mjs FILE [ARGUMENTS]`.
import { become } from "./turbo.mjs"

const [program, ...words] = process.argv.slice(2)
become(program, words)
