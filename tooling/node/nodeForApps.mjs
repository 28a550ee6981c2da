// The Node that runs the apps: the machine's own if it is new enough, otherwise the one that this package installs. Plain
// JavaScript for Node 18, like the bootstrap.
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const [major, minor] = process.versions.node.split(".").map(Number)

/** Whether the Node of this process can run the apps, which need 22.19. */
export const isNewEnough = major > 22 || (major === 22 && minor >= 19)

/** The path of the Node that runs the apps. */
export const nodeForApps = () =>
  isNewEnough
    ? process.execPath
    : join(
        dirname(fileURLToPath(import.meta.url)),
        "node_modules/node/bin",
        process.platform === "win32" ? "node.exe" : "node"
      )
