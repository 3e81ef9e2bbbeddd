import { deleteAdminWorkspace, deleteWorkspace, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { CachedAccess } from "../access/workspace-scopes.ts";
import { Route, type Call } from "../http/route.ts";
import { PictureStore } from "../picture/picture-store.ts";

/** Deletes the picture of a deleted workspace: this is the last place that knows its key. */
@Injectable()
export class WorkspaceDeletionRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pictures: PictureStore,
    private readonly access: CachedAccess,
  ) {}

  @Route(deleteWorkspace)
  async delete({ input, scope, request }: Call<typeof deleteWorkspace>): Promise<void> {
    const { pictureKey } = await this.requests.request(deleteWorkspace, input, {
      scope,
      idempotencyKey: request.id,
    });
    this.access.dropAfter("workspace", scope);
    await this.pictures.discard(pictureKey ?? null);
  }

  @Route(deleteAdminWorkspace)
  async deleteById({
    input,
    scope,
    request,
  }: Call<typeof deleteAdminWorkspace>): Promise<
    Omit<Out<typeof deleteAdminWorkspace>, "pictureKey">
  > {
    const { pictureKey, ...outcome } = await this.requests.request(deleteAdminWorkspace, input, {
      scope,
      idempotencyKey: request.id,
    });
    this.access.dropAfter("workspace", scope);
    await this.pictures.discard(pictureKey ?? null);
    return outcome;
  }
}
