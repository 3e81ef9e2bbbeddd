import { Module } from "@nestjs/common";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { PictureHandler } from "./picture.handler.ts";

@Module({
  imports: [WorkspaceModule],
  controllers: [PictureHandler],
})
export class PictureModule {}
