import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { createServer } from "node:http"
import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

/** The folder of the built site. */
export const dist = fileURLToPath(new URL("../dist", import.meta.url))

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8"
}

/** The file that the site serves for a path. */
const fileOf = (path: string): string => join(dist, decodeURIComponent(path), path.endsWith("/") ? "index.html" : "")

const sizes = new Map<string, number>()

/** The size of what the site serves for a path, compressed; 0 where it serves nothing. */
export const compressedSize = (path: string): number => {
  const known = sizes.get(path)
  if (known !== undefined) return known
  const file = fileOf(path)
  const size = existsSync(file) ? gzipSync(readFileSync(file)).length : 0
  sizes.set(path, size)
  return size
}

/** The built site on a free port of loopback. */
export const serveSite = async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const file = fileOf(pathname)
    const headers = {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "max-age=3600"
    }
    readFile(file).then(
      (body) => response.writeHead(200, headers).end(body),
      () =>
        response
          .writeHead(404, { "content-type": "text/html; charset=utf-8" })
          .end(readFileSync(join(dist, "404.html")))
    )
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
