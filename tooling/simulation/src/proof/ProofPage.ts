/**
 * The page `tooling/simulation/proof.md`.
 */
import { type Proof, proofTable } from "./Proof.ts"

/** The page. */
export const proofPage = new URL("../../proof.md", import.meta.url)

const between = (page: string, name: string, text: string): string =>
  page.replace(new RegExp(`(?<=<!-- ${name}: .*? -->\n).*?(?=<!-- /${name} -->)`, "su"), () => `\n${text}\n\n`)

const number = new Intl.NumberFormat("en-US")

/** The page with what was found. */
export const withProof = (page: string, proof: Proof): string =>
  [
    [
      "shipped",
      `The last run checked the client that ships with ${number.format(proof.programs)} programs and swept it in ${number.format(proof.cells)} cells, and found nothing.`
    ],
    ["broken", proofTable(proof)]
  ].reduce((text, [name = "", part = ""]) => between(text, name, part), page)
