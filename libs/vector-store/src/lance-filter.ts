import { quote, tenant, wholeNumber } from "./lance-row.ts";
import type { Deletion } from "./table-change.ts";

/** Filter for a workspace, or for some of its documents. */
export const ofDocuments = (workspaceId: number, documentIds?: readonly string[]): string =>
  documentIds
    ? `${tenant(workspaceId)} AND document_id IN (${[...documentIds, ""].map(quote).join(", ")})`
    : tenant(workspaceId);

/** Filter for any of several workspaces, at least one. */
export const inWorkspaces = (workspaceIds: readonly number[]): string =>
  workspaceIds.length === 1
    ? tenant(workspaceIds[0]!)
    : `workspace_id IN (${workspaceIds.map(wholeNumber).join(", ")})`;

export const deletionFilter = ({ workspaceId, documentIds, exceptVersion }: Deletion): string =>
  ofDocuments(workspaceId, documentIds) +
  (exceptVersion === undefined ? "" : ` AND version != ${Math.trunc(exceptVersion)}`);
