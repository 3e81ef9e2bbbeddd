import { clipText } from "@carrel/contracts";
import { defineConnector, type SourceContext } from "../../connector/connector.ts";
import { findFolder } from "./find-folder.ts";
import { WebdavClient } from "./webdav-client.ts";
import {
  webdavCredential,
  webdavForm,
  webdavSettings,
  type WebdavCredential,
  type WebdavSettings,
} from "./webdav-form.ts";
import { webdavItem, WebdavSource } from "./webdav-source.ts";

/** The files of a folder on Nextcloud, ownCloud or another WebDAV server. */
export const connector = defineConnector({
  id: "webdav",
  form: webdavForm,
  settings: webdavSettings,
  credential: webdavCredential,
  item: webdavItem,
  nameOf: ({ url, folder }) =>
    clipText([folder, new URL(url).host].filter(Boolean).join(" – "), 200),
  originOf: ({ url }) => new URL(url).origin,
  choices: async (field, settings, credential, context) => {
    if (field !== "folder") return [];
    const source = await openFolder({ ...settings, folder: "" }, credential, context);
    return (await source.listFolders()).toSorted();
  },
  open: openFolder,
});

async function openFolder(
  settings: WebdavSettings,
  credential: WebdavCredential,
  context: SourceContext,
): Promise<WebdavSource> {
  const { origin } = new URL(settings.url);
  const client = new WebdavClient(origin, credential, settings.anyCertificate, context);
  return new WebdavSource(
    client,
    await findFolder(client, settings, credential.username),
    settings,
  );
}
