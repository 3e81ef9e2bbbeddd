import {
  getContextWindow,
  getWorkspace,
  getWorkspaceSettings,
  listWorkspaceDocuments,
  type Out,
  type Scope,
  type WorkspaceDetailWire,
  type WorkspaceDocumentWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** Merges the parts of the view into one body; pure (wire-contract 3.1). */
const mapWorkspaceDetail = (
  { workspace }: Out<typeof getWorkspaceSettings>,
  documents: WorkspaceDocumentWire[],
  context: Out<typeof getContextWindow>,
): WorkspaceDetailWire => ({
  ...workspace,
  documents,
  contextWindow: context.contextWindow,
  currentContextTokenCount: context.currentContextTokenCount,
});

/**
 * The complete view of a workspace: its row, its documents (ingest) and the model's window (chat),
 * requested in parallel.
 */
@Injectable()
export class WorkspaceView {
  constructor(private readonly requests: RequestClient) {}

  @Route(getWorkspace)
  async get({ scope }: Call<typeof getWorkspace>): Promise<Out<typeof getWorkspace>> {
    return { workspace: await this.build(scope) };
  }

  async build(scope: Scope): Promise<WorkspaceDetailWire> {
    return mapWorkspaceDetail(
      ...(await Promise.all([
        this.requests.request(getWorkspaceSettings, {}, { scope }),
        this.listDocuments(scope),
        this.requests.request(getContextWindow, {}, { scope }),
      ])),
    );
  }

  /** Reads all pages: existing clients have no paging here, but replies between services do. */
  private async listDocuments(scope: Scope): Promise<WorkspaceDocumentWire[]> {
    const documents: WorkspaceDocumentWire[] = [];
    let after: number | null = null;
    do {
      const page: Out<typeof listWorkspaceDocuments> = await this.requests.request(
        listWorkspaceDocuments,
        { after },
        { scope },
      );
      documents.push(...page.documents);
      after = page.next;
    } while (after !== null);
    return documents;
  }
}
