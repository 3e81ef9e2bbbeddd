import {
  findPicture,
  getProfilePicture,
  removeProfilePicture,
  setPicture,
  uploadProfilePicture,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { PictureStore } from "./picture-store.ts";
import { receivePicture } from "./picture-upload.ts";

const box = { width: 512, height: 512, fit: "cover" } as const;

@Injectable()
export class ProfilePictureRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pictures: PictureStore,
  ) {}

  @Route(getProfilePicture)
  async get({ input, scope, reply }: Call<typeof getProfilePicture>): Promise<FastifyReply> {
    const { userId } = scope.principal;
    const { key } =
      userId !== null && input.id === String(userId)
        ? await this.requests.request(findPicture, { id: userId }, { scope })
        : { key: null };
    return key === null ? reply.code(204).send() : this.pictures.send(reply, key);
  }

  @Route(uploadProfilePicture)
  async upload({
    scope,
    request,
  }: Call<typeof uploadProfilePicture>): Promise<Out<typeof uploadProfilePicture>> {
    const picture = await receivePicture(request, "file", box, "picture.missing");
    await this.pictures.replace(picture, (key) =>
      this.requests.request(setPicture, { key }, { scope }),
    );
    return { message: "Profile picture uploaded successfully." };
  }

  @Route(removeProfilePicture)
  async remove({
    scope,
  }: Call<typeof removeProfilePicture>): Promise<Out<typeof removeProfilePicture>> {
    const { previous } = await this.requests.request(setPicture, { key: null }, { scope });
    await this.pictures.discard(previous);
    return { message: "Profile picture removed successfully." };
  }
}
