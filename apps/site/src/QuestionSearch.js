/**
 * The search of Pagefind for questions. Pagefind finds pages with every word of a query, so "why did it fail" would look for
 * pages with "did". The build puts this module where the search box looks for Pagefind, which it moves next to it.
 */
import * as pagefind from "./engine.js"

export * from "./engine.js"

const fillers = new Set(
  "a an and any are be can could did do does for from get got has have how i if in is it its me my of on or our please should that the them there they this to use want was we what when where which who will with work works would you your".split(
    " "
  )
)

/** The words of a query that tell pages apart; the query itself if it has no others. */
const query = (term) =>
  term
    .split(/\s+/u)
    .filter((word) => !fillers.has(word.toLowerCase().replace(/\W+$/u, "")))
    .join(" ") || term

export const search = (term, options) => pagefind.search(query(term), options)

export const preload = (term, options) => pagefind.preload(query(term), options)
