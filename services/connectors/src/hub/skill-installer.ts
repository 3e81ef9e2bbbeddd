import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { installPlugin, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { BLOB_STORE, temporaryPrefix, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { BundleFile } from "./bundle-files.ts";
import type { SkillItem } from "./hub-item.ts";
import { manifestFile, readManifest } from "./skill-bundle.ts";

/** Hands skills over to chat, which keeps and runs them. */
@Injectable()
export class SkillInstaller {
  constructor(
    private readonly client: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** Installs exactly these files, switched off. Returns the skill's ID, which is the item's. */
  async install({ id }: SkillItem, files: readonly BundleFile[], scope: Scope): Promise<string> {
    const manifest = { ...readManifest(files), hubId: id, active: false };
    const { default: JSZip } = await import("jszip");
    const zip = new JSZip();
    for (const { path, content } of files)
      zip.file(path, path === manifestFile ? JSON.stringify(manifest, null, 2) : content, {
        createFolders: false,
      });
    const archive = await zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" });
    const blobKey = `${temporaryPrefix}hub-${randomUUID()}`;
    await this.blobs.put(blobKey, Readable.from([archive], { objectMode: false }));
    try {
      const plugin = await this.client.request(
        installPlugin,
        { blobKey, source: "hub" },
        { scope },
      );
      return plugin.hubId;
    } finally {
      await this.blobs.delete(blobKey);
    }
  }
}
