import type { DataSource } from "typeorm";
import type { AccessList } from "../connector/connector.ts";
import type { SourceItem } from "./source-item.entity.ts";

/** Who may see an item, as the source says, and which readers its document has. */
export interface Allowed {
  access: AccessList | null;
  audience: string | null;
  /** What was known before; if it has changed meanwhile, a check has asked the source too. */
  known: AccessList | null;
  /** What its audience is while ingest is told of these readers; null if that knew them already. */
  telling: string | null;
}

/** The audience of items whose documents' readers aren't known for sure. */
export const unknownAudience = "?";

/**
 * Who may see an item and its audience after it has become `r`, SQL row of an outcome. A check may
 * have told ingest of other readers meanwhile; then it tells again.
 */
export const allowedAfter = {
  access: `CASE
    WHEN r.is_allowed AND i.document_id IS NOT NULL
      AND i.access IS DISTINCT FROM nullif(r.known, 'null'::jsonb) THEN i.access
    ELSE coalesce(nullif(r.access, 'null'::jsonb), i.access)
  END`,
  audience: `CASE
    WHEN NOT r.is_allowed THEN i.audience
    WHEN i.document_id IS NULL OR i.audience IS NOT DISTINCT FROM coalesce(r.telling, r.audience)
      THEN r.audience
    ELSE '${unknownAudience}'
  END`,
};

/** Apart from what it follows: others lock a connection before its runs and items. */
export async function planCheck(
  { manager }: DataSource,
  connectionId: string,
  done: Pick<SourceItem, "audience">[],
): Promise<void> {
  if (done.some(({ audience }) => audience === unknownAudience))
    await manager.query("UPDATE connectors.connection SET access_due_at = now() WHERE id = $1", [
      connectionId,
    ]);
}
