import { listContextTexts, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { ContextTexts } from "./context-texts.ts";

@Controller()
class ContextHandler {
  constructor(private readonly texts: ContextTexts) {}

  @Handle(listContextTexts)
  list(
    input: In<typeof listContextTexts>,
    context: RequestContext,
  ): Promise<Out<typeof listContextTexts>> {
    return this.texts.list(requireWorkspace(context.scope), input);
  }
}

@Module({
  imports: [DocumentModule],
  controllers: [ContextHandler],
  providers: [ContextTexts],
})
export class ContextModule {}
