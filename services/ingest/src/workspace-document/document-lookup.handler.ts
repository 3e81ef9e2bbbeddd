import { lookUpDocuments, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { DocumentLookup } from "./document-lookup.ts";

/** What agents read of a workspace's documents. */
@Controller()
export class DocumentLookupHandler {
  constructor(private readonly lookup: DocumentLookup) {}

  @Handle(lookUpDocuments)
  find(
    input: In<typeof lookUpDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof lookUpDocuments>> {
    return this.lookup.find(requireWorkspace(scope), input);
  }
}
