import {
  findPageStart,
  lookUpDocuments,
  readDocumentPart,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { DocumentLookup } from "./document-lookup.ts";
import { DocumentParts } from "./document-parts.ts";
import { ReadableDocuments } from "./readable-documents.ts";

/** What agents read of a workspace's documents. */
@Controller()
export class DocumentLookupHandler {
  constructor(
    private readonly lookup: DocumentLookup,
    private readonly readable: ReadableDocuments,
    private readonly parts: DocumentParts,
  ) {}

  @Handle(lookUpDocuments)
  find(
    input: In<typeof lookUpDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof lookUpDocuments>> {
    return this.lookup.find(requireWorkspace(scope), input);
  }

  @Handle(readDocumentPart)
  async part(
    { documentId, ...range }: In<typeof readDocumentPart>,
    context: RequestContext,
  ): Promise<Out<typeof readDocumentPart>> {
    const scope = requireWorkspace(context.scope);
    return this.parts.read(scope, await this.readable.get(scope, documentId), range);
  }

  @Handle(findPageStart)
  async pageStart(
    { documentId, page }: In<typeof findPageStart>,
    context: RequestContext,
  ): Promise<Out<typeof findPageStart>> {
    const scope = requireWorkspace(context.scope);
    const document = await this.readable.get(scope, documentId);
    return { start: await this.parts.pageStart(scope, document, page) };
  }
}
