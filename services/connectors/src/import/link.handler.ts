import { fetchLink, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { ImportStarter } from "./import-starter.ts";
import { ImportWait } from "./import-wait.ts";

@Controller()
export class LinkHandler {
  constructor(
    private readonly starter: ImportStarter,
    private readonly wait: ImportWait,
  ) {}

  /** A link is a source of one item; its document is the answer. */
  @Handle(fetchLink)
  async fetch(
    { link, headers, embed, metadata }: In<typeof fetchLink>,
    context: RequestContext,
  ): Promise<Out<typeof fetchLink>> {
    const importId = await this.starter.start(
      "link",
      { link, headers },
      { embed, metadata },
      context,
    );
    const [document] = await this.wait.forDocuments(importId, context.signal);
    return document!;
  }
}
