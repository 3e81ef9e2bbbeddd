import { deleteUser, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { CachedAccess } from "../access/workspace-scopes.ts";
import { Route, type Call } from "../http/route.ts";
import { PictureStore } from "./picture-store.ts";

/** Deletes the picture of a deleted account: the row is gone, so only this knows its key. */
@Injectable()
export class UserDeletionRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pictures: PictureStore,
    private readonly access: CachedAccess,
  ) {}

  @Route(deleteUser)
  async delete({
    input,
    scope,
    request,
  }: Pick<Call<typeof deleteUser>, "input" | "scope" | "request">): Promise<
    Omit<Out<typeof deleteUser>, "pictureKey">
  > {
    const { pictureKey, ...outcome } = await this.requests.request(deleteUser, input, {
      scope,
      idempotencyKey: request.id,
    });
    this.access.dropAfter("auth", scope);
    await this.pictures.discard(pictureKey ?? null);
    return outcome;
  }
}
