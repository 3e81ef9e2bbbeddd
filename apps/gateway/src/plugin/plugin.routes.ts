import {
  CarrelError,
  installPlugin,
  listLegacyPlugins,
  listPreferences,
  pluginLimits,
  uploadPlugin,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { receiveUpload } from "../document/upload.ts";
import { Route, type Call } from "../http/route.ts";

/** The label of imported agent skills (wire-contract 5.9), which the chat service stores. */
const label = "imported_agent_skills";

@Injectable()
export class PluginRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  @Route(uploadPlugin)
  async upload({ request, scope }: Call<typeof uploadPlugin>): Promise<Out<typeof uploadPlugin>> {
    // An archive is hardly larger than what is in it.
    const { key } = await receiveUpload(request, this.blobs, pluginLimits.bytes + 1_000_000);
    return this.requests.request(installPlugin, { blobKey: key }, { scope });
  }

  /** The workspace service knows all other preferences. */
  @Route(listPreferences)
  async listPreferences({
    input,
    scope,
  }: Call<typeof listPreferences>): Promise<Out<typeof listPreferences>> {
    const { settings } = await this.requests.request(listPreferences, input, { scope });
    if (!Object.hasOwn(settings, label)) return { settings };
    const plugins = await this.requests.request(listLegacyPlugins, {}, { scope }).then(
      (reply) => reply.plugins,
      (error: unknown) => {
        // The other preferences don't need the chat service.
        if (!(error instanceof CarrelError)) throw error;
        return [];
      },
    );
    return { settings: { ...settings, [label]: plugins } };
  }
}
