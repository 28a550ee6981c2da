const ranking = { pageLength: 0.1, termFrequency: 0.3, termSaturation: 2 }

/**
 * How the search ranks: guides first. The symbols of the reference have a separate index, which weighs little; only a whole
 * name weighs much.
 */
export const searchSettings = {
  ranking: { ...ranking, metaWeights: { title: 6, keywords: 8 } },
  mergeIndex: [
    { bundlePath: "/symbols/", indexWeight: 0.04, ranking: { ...ranking, metaWeights: { title: 6, wholeName: 12 } } }
  ]
}
