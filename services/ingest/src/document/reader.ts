import type { Scope } from "@carrel/contracts";

/**
 * For whom a statement reads documents: the id of a user, or one of these
 * (docs/decisions/document-permissions.md).
 */
export type Reader = number;
/** Carrel itself, and the one person of an instance without accounts. */
export const everyReader: Reader = 0;
/** No person in particular: sees what everyone may see. */
const anyone: Reader = -1;

/** API keys, widget visitors and the public aren't a person, whoever created them. */
export function readerOf({ principal: { kind, userId } }: Pick<Scope, "principal">): Reader {
  if (kind === "service" || kind === "instance") return everyReader;
  return kind === "user" || kind === "extension" ? (userId ?? anyone) : anyone;
}

/**
 * SQL condition: the reader may see the document with this id. It probes an index of the restricted
 * documents only. `reader` is a parameter or a literal.
 */
export const mayRead = (documentId: string, reader: string): string =>
  `NOT EXISTS (
        SELECT FROM ingest.document hidden
        WHERE hidden.id = ${documentId} AND ${isHidden(reader)}
      )`;

/** SQL condition: a restricted document, or what is left of it, called `hidden`, is for others. */
export const isHidden = (reader: string): string => `hidden.audience_id IS NOT NULL
          AND ${reader} <> ${everyReader}
          AND hidden.user_id IS DISTINCT FROM ${reader}
          AND NOT EXISTS (
            SELECT FROM ingest.audience_member member
            WHERE member.audience_id = hidden.audience_id AND member.user_id = ${reader}
          )`;
