/**
 * How the search ranks: guides first. The symbols of the reference have a separate index, which weighs little.
 */
export const searchSettings = {
  ranking: { pageLength: 0.1, termFrequency: 0.3, termSaturation: 2, metaWeights: { title: 6, keywords: 8 } },
  mergeIndex: [{ bundlePath: "/symbols/", indexWeight: 0.04 }]
}
