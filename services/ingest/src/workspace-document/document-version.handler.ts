import {
  CarrelError,
  diffDocumentVersion,
  listDocumentVersions,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { diffLines } from "../revision/diff-lines.ts";
import { DocumentVersionRepository } from "../revision/document-version.repository.ts";

/** The contents that a workspace's documents have had. */
@Controller()
export class DocumentVersionHandler {
  constructor(
    private readonly versions: DocumentVersionRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  @Handle(listDocumentVersions)
  async list(
    { documentId }: In<typeof listDocumentVersions>,
    context: RequestContext,
  ): Promise<Out<typeof listDocumentVersions>> {
    const scope = await this.requireDocument(context.scope, documentId);
    return { versions: await this.versions.list(scope, documentId) };
  }

  @Handle(diffDocumentVersion)
  async diff(
    { documentId, version }: In<typeof diffDocumentVersion>,
    context: RequestContext,
  ): Promise<Out<typeof diffDocumentVersion>> {
    const scope = await this.requireDocument(context.scope, documentId);
    const texts = await this.versions.readPair(scope, documentId, version);
    if (texts === null) throw new CarrelError("document.version-not-kept");
    return diffLines(texts.before, texts.after);
  }

  private async requireDocument(asked: Scope, documentId: string): Promise<WorkspaceScope> {
    const scope = requireWorkspace(asked);
    if ((await this.workspaceDocuments.find(scope, documentId)) === null)
      throw new CarrelError("document.not-in-workspace");
    return scope;
  }
}
