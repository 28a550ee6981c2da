/**
 * The page for browsers: the inspector, read from files when they are requested; `/docs` opens its switches.
 */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"

/** Where a build puts the files, seen from this module, from a bundle, and from the sources. */
const folders = ["../pages/", "./pages/", "../../pages/", "../../dist/pages/"]

const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["inspector.html", "text/html; charset=utf-8"],
  "/docs": ["inspector.html", "text/html; charset=utf-8"],
  "/openapi.json": ["openapi.json", "application/json"],
  "/_fake/pages/Inspector.js": ["Inspector.js", "text/javascript"],
  "/_fake/pages/style.css": ["style.css", "text/css"],
  "/_fake/pages/icon.svg": ["icon.svg", "image/svg+xml"]
}

/** Scripts and styles of the server only, and requests to nowhere else. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const isPagePath = (path: string): boolean => Object.hasOwn(files, path)

const pathOf = (file: string): string | undefined =>
  folders.map((folder) => fileURLToPath(new URL(folder + file, import.meta.url))).find((path) => existsSync(path))

export const sendPage = async (path: string, reply: ServerResponse): Promise<void> => {
  const [file, type] = files[path] ?? ["", ""]
  const found = pathOf(file)
  if (found === undefined) {
    reply.writeHead(404, { "content-type": "text/plain" }).end(`The file ${file} is missing; build the package\n`)
    return
  }
  reply.writeHead(200, {
    "content-type": type,
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff"
  })
  reply.end(await readFile(found))
}
