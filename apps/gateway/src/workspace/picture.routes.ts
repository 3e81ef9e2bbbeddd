import {
  findWorkspacePicture,
  getWorkspacePicture,
  removeWorkspacePicture,
  setWorkspacePicture,
  uploadWorkspacePicture,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { PictureStore } from "../picture/picture-store.ts";
import { receivePicture } from "../picture/picture-upload.ts";

const box = { width: 512, height: 512, fit: "cover" } as const;

/** The picture shown next to answers in a workspace. */
@Injectable()
export class WorkspacePictureRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pictures: PictureStore,
  ) {}

  @Route(getWorkspacePicture)
  async get({ scope, reply }: Call<typeof getWorkspacePicture>): Promise<FastifyReply> {
    const { key } = await this.requests.request(findWorkspacePicture, {}, { scope });
    return key === null ? reply.code(204).send() : this.pictures.send(reply, key);
  }

  @Route(uploadWorkspacePicture)
  async upload({
    scope,
    request,
  }: Call<typeof uploadWorkspacePicture>): Promise<Out<typeof uploadWorkspacePicture>> {
    const picture = await receivePicture(request, "file", box, "picture.missing");
    await this.pictures.replace(picture, (key) =>
      this.requests.request(setWorkspacePicture, { key }, { scope }),
    );
    return { message: "Profile picture uploaded successfully." };
  }

  @Route(removeWorkspacePicture)
  async remove({
    scope,
  }: Call<typeof removeWorkspacePicture>): Promise<Out<typeof removeWorkspacePicture>> {
    const { previous } = await this.requests.request(setWorkspacePicture, { key: null }, { scope });
    await this.pictures.discard(previous);
    return { message: "Profile picture removed successfully." };
  }
}
