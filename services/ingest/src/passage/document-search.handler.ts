import { searchDocumentTexts, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { DocumentSearch } from "./document-search.ts";

@Controller()
export class DocumentSearchHandler {
  constructor(
    private readonly documents: DocumentSearch,
    private readonly priority: SearchPriority,
  ) {}

  @Handle(searchDocumentTexts)
  async search(
    input: In<typeof searchDocumentTexts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchDocumentTexts>> {
    return { hits: await this.priority.search(() => this.documents.search(scope, input)) };
  }
}
