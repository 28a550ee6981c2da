/**
 * The documents that this package writes, whole or in part.
 */
import { apiPage } from "./ApiPage.ts"
import { errorPages } from "./ErrorPages.ts"
import { filterTable } from "./FilterTable.ts"
import { manifests } from "./Manifests.ts"
import { operationPages } from "./OperationPages.ts"
import { peersTable } from "./PeersTable.ts"
import { read } from "./Repository.ts"

/** A document with the current comparison between its markers. */
const withPeers = (path: string) => (): string =>
  read(path).replace(/(?<=<!-- peers: .*? -->\n).*?(?=<!-- \/peers -->)/s, () => `\n${peersTable()}\n\n`)

/** A document with the keys of filters between its markers. */
const withFilters = (path: string) => (): string =>
  read(path).replace(/(?<=<!-- filters: .*? -->\n).*?(?=<!-- \/filters -->)/s, () => `\n${filterTable()}\n\n`)

/** Each document with its text as it should be. */
export const generated: Readonly<Record<string, () => string>> = {
  "docs/api.md": apiPage,
  ...errorPages,
  ...operationPages,
  ...manifests,
  "docs/tui/README.md": withFilters("docs/tui/README.md"),
  "docs/comparison.md": withPeers("docs/comparison.md")
}
