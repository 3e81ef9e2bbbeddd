import { quote, tenant } from "./lance-row.ts";
import type { Deletion } from "./table-change.ts";

/** Filter for a workspace, or for some of its documents. */
export const ofDocuments = (workspaceId: number, documentIds?: readonly string[]): string =>
  documentIds
    ? `${tenant(workspaceId)} AND document_id IN (${[...documentIds, ""].map(quote).join(", ")})`
    : tenant(workspaceId);

export const deletionFilter = ({ workspaceId, documentIds, exceptVersion }: Deletion): string =>
  ofDocuments(workspaceId, documentIds) +
  (exceptVersion === undefined ? "" : ` AND version != ${Math.trunc(exceptVersion)}`);
