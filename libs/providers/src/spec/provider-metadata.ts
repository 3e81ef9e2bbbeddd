/**
 * Data that a vendor requires back unchanged with a part of its answer, under the vendor's id: the
 * signature of Anthropic's thinking, OpenAI's encrypted reasoning. Opaque to callers, and JSON
 * throughout so that it can be stored; an adapter reads only its own vendor's entry.
 */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, string>>>>;
