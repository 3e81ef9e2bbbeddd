import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import { isUsablePath } from "../../connector/file-rules.ts";
import { isUnexpected } from "../../connector/json-api.ts";
import { readJson } from "../../connector/read-json.ts";
import { throwStatus } from "../../connector/source-fault.ts";
import { readParts, type WebdavClient } from "./webdav-client.ts";
import type { WebdavSettings } from "./webdav-form.ts";

export interface FoundFolder {
  /** Decoded parts of its path below the server. */
  root: string[];
  /** Nextcloud's own path, if it is there: where people open its files. */
  web: string | null;
}

/** Where addresses of Nextcloud and ownCloud have more than their own path. */
const belowCloud = /\/(index\.php|apps|settings|login|s|f|remote\.php)(\/.*)?$/;
const status = z.object({ installed: z.literal(true) });

/**
 * The WebDAV folder that the settings mean. An address that isn't one may be Nextcloud's, whose
 * WebDAV has an address of its own for each person.
 */
export async function findFolder(
  client: WebdavClient,
  { url, folder }: WebdavSettings,
  username: string,
): Promise<FoundFolder> {
  const { pathname, searchParams } = new URL(url);
  const parts = readParts(url);
  if (parts === null) throw new CarrelError("source.setting-invalid", { field: "url" });
  const below = folder === undefined || folder === "" ? [] : folder.split("/");
  const web = pathname.replace(belowCloud, "").replace(/\/+$/, "");
  if (parts.includes("remote.php"))
    return { root: [...parts, ...below], web: parts.includes("files") ? web : null };
  const shown = searchParams.get("dir");
  const refusal = shown === null ? await findRefusal(client, parts) : notRecognised(client);
  if (refusal === null) return { root: [...parts, ...below], web: null };
  if (!(await isCloud(client, web))) throw refusal;
  const user = (await client.findUser(web)) ?? username;
  const base = readParts(`${web}/remote.php/dav/files/`) ?? [];
  const chosen = (shown ?? "").split("/").filter((part) => part !== "");
  if (!chosen.every(isUsablePath))
    throw new CarrelError("source.setting-invalid", { field: "url" });
  return { root: [...base, user, ...chosen, ...below], web };
}

/** null if WebDAV is there; servers refuse what they don't know in many ways. */
async function findRefusal(
  client: WebdavClient,
  parts: readonly string[],
): Promise<CarrelError | null> {
  try {
    return (await client.list(parts, 0)).self === null ? notRecognised(client) : null;
  } catch (error) {
    if (!(error instanceof CarrelError)) throw error;
    if (isUnexpected(error)) return notRecognised(client);
    const { code, params } = error;
    const isMethodUnknown =
      code === "source.missing" ||
      (code === "source.denied" && params.status !== 401) ||
      (code === "source.failing" && params.status === 501);
    if (isMethodUnknown) return error;
    throw error;
  }
}

async function isCloud(client: WebdavClient, web: string): Promise<boolean> {
  const reply = await client.get(`${web}/status.php`);
  if (reply.status === 429 || reply.status >= 500) throwStatus(reply);
  if (reply.status !== 200) return false;
  try {
    return readJson(reply, status).installed;
  } catch (error) {
    if (isUnexpected(error)) return false;
    throw error;
  }
}

const notRecognised = ({ host }: WebdavClient): CarrelError =>
  new CarrelError("source.not-recognised", { host, name: "WebDAV" });
