import { randomInt, randomUUID } from "node:crypto";
import slugify from "slugify";

// The package is CommonJS with a `default` property; under NodeNext its types describe the module
// object.
const convert = slugify as unknown as typeof slugify.default;

/**
 * The name in lower case with hyphens between words; a UUID if it has no letter that can be
 * transliterated to Latin (wire-contract 3.2).
 */
export const buildSlug = (name: string): string =>
  convert(name, { lower: true, strict: true }).slice(0, 200).replace(/-+$/, "") || randomUUID();

/** Another slug for a name whose slug is taken. */
export const buildFreeSlug = (slug: string): string =>
  `${slug}-${randomInt(10_000_000, 100_000_000)}`;
