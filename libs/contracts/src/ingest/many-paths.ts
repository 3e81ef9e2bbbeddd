/**
 * Body limits of routes that name thousands of documents; the gateway forwards them in batches. A
 * document to move counts as five values, one that is only named as one.
 */
export const manyPaths = { bodyLimit: 32 * 1024 * 1024, bodyValues: 60_000 };
