import { fetchLink, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { ItemImporter } from "./item-importer.ts";

@Controller()
export class LinkHandler {
  constructor(private readonly importer: ItemImporter) {}

  /** A link is a source of one item; its document is the answer. */
  @Handle(fetchLink)
  async fetch(
    { link, headers, embed, metadata }: In<typeof fetchLink>,
    context: RequestContext,
  ): Promise<Out<typeof fetchLink>> {
    const [document] = await this.importer.import(
      "link",
      { link, headers },
      { embed, metadata },
      context,
    );
    return document!;
  }
}
