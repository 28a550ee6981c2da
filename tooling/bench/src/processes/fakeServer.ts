import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { announce } from "../ServerProcess.ts"

const fake = createFake()
announce(await listen(fake, { port: 0 }), fake.apiKey)
