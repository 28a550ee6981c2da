/** The environment variable with the file of the sample's keys: plugins and tests run in processes of their own. */
export const sampleVariable = "SIGNALBOX_MUTATION_SAMPLE"
