import { createFake } from "../Fake.ts"
import { listen } from "../server.ts"
import { type Arguments, readArguments } from "./Arguments.ts"

const serve = async ({ port, ...options }: Arguments): Promise<void> => {
  const fake = createFake(options)
  const server = await listen(fake, { port })
  const stop = () => void server.close()
  process.once("SIGINT", stop).once("SIGTERM", stop)
  process.stdout.write(`${JSON.stringify({ url: server.url, apiKey: fake.apiKey })}\n`)
}

const request = readArguments(process.argv.slice(2))
switch (request._tag) {
  case "Print":
    process.stdout.write(request.text)
    break
  case "Refused":
    process.stderr.write(`${request.message}\n`)
    process.exitCode = 2
    break
  case "Serve":
    serve(request.arguments).catch((error: unknown) => {
      process.stderr.write(`signalbox-fake: ${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    })
}
