/**
 * The documents that this package writes, whole or in part.
 */
import { apiPage } from "./ApiPage.ts"
import { peersTable } from "./PeersTable.ts"
import { read } from "./Repository.ts"

const readme = (): string =>
  read("README.md").replace(/(?<=<!-- peers: .*? -->\n).*?(?=<!-- \/peers -->)/s, () => `\n${peersTable()}\n\n`)

/** Each document with its text as it should be. */
export const generated: Readonly<Record<string, () => string>> = {
  "docs/api.md": apiPage,
  "README.md": readme
}
