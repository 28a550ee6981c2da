/**
 * Where the documentation is published.
 */

/**
 * The address of the documentation site, without a slash at the end, such as `https://signalbox.example.com`. Each error
 * ends with a link to its reason there. The site has no address yet, so errors have no link.
 */
export const docsUrl: string | undefined = undefined
