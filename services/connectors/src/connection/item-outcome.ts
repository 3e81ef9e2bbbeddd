import { clipText, type Fault } from "@carrel/contracts";
import type { AccessList } from "../connector/connector.ts";
import type { SourceItem } from "./source-item.entity.ts";

const longestTitle = 500;

/** Who may see an item, as the source says, and which readers its document has. */
export interface Allowed {
  access: AccessList | null;
  audience: string | null;
  /** What was recorded of both before the source was asked. */
  known: Pick<SourceItem, "access" | "audience">;
}

/** What became of an item. */
export type ItemOutcome =
  | {
      state: "fetched";
      documentId: string;
      title: string;
      version: string | null;
      sha256: string;
      bytes: number;
      allowed: Allowed;
    }
  | { state: "unchanged"; version?: string; allowed?: Allowed }
  | { state: "skipped" | "failed" | "gone"; fault: Fault };

/** An item that is done. */
export interface FinishedItem {
  key: string;
  outcome: ItemOutcome;
}

/** PostgreSQL stores no null characters, and lone surrogates aren't JSON. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "");
export const clean = (text: string, limit: number): string => storable(clipText(text, limit));
export const cleanTitle = (title: string): string => clean(title, longestTitle);

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? storable(part) : part));

/** The columns that `describeFinished` fills. */
export const finishedColumns = `key text, state text, fault jsonb, title text, version text,
          sha256 text, bytes bigint, document_id uuid, is_allowed boolean, access jsonb,
          audience text, known_access jsonb, known_audience text`;

export function describeFinished({ key, outcome }: FinishedItem) {
  const document = outcome.state === "fetched" ? outcome : null;
  const allowed = "allowed" in outcome ? outcome.allowed : undefined;
  return {
    key,
    state: outcome.state,
    fault: "fault" in outcome ? outcome.fault : null,
    title: document && cleanTitle(document.title),
    version: "version" in outcome ? outcome.version : null,
    sha256: document?.sha256,
    bytes: document?.bytes,
    document_id: document?.documentId,
    is_allowed: allowed !== undefined,
    access: allowed?.access,
    audience: allowed?.audience,
    known_access: allowed?.known.access,
    known_audience: allowed?.known.audience,
  };
}

/**
 * The audience of an item whose readers ingest was told of by two at once: nobody knows who was
 * last, so it is told again.
 */
export const unsettled = "?";

const isAsKnown = `i.access IS NOT DISTINCT FROM r.known_access
            AND i.audience IS NOT DISTINCT FROM r.known_audience`;
/** SQL: who may see the item `i` after the outcome `r`. The hourly check may have been meanwhile. */
export const accessAfter = `CASE
            WHEN r.is_allowed AND ${isAsKnown} THEN coalesce(r.access, i.access)
            ELSE i.access
          END`;
export const audienceAfter = `CASE
            WHEN NOT r.is_allowed THEN i.audience
            WHEN ${isAsKnown} OR i.audience IS NOT DISTINCT FROM r.audience THEN r.audience
            ELSE '${unsettled}'
          END`;

/** SQL: a part of a statement that has the access of connection $1 checked soon if `done` needs it. */
export const checkUnsettledSoon = `UPDATE connectors.connection
        SET access_due_at = now() + interval '1 minute'
        WHERE id = $1 AND access_due_at > now() + interval '1 minute'
          AND EXISTS (SELECT FROM done WHERE audience = '${unsettled}')`;
