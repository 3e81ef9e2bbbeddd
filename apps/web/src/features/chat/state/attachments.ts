import { readCurrentUser } from "../../../lib/current-user.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { readItem, storeItem } from "../../../lib/indexed-db.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { parseIntoThread } from "../api/parsed-files.ts";
import { threadKey, type ThreadAddress } from "./generations.ts";

/** An image for the next question; `contentString` is its data URL. */
export interface PendingImage {
  id: number;
  name: string;
  mime: string;
  contentString: string;
}
/** A document being parsed into the thread; it joins the thread's files once that is done. */
export interface ParsingFile {
  id: number;
  name: string;
  progress: number;
  state: "waiting" | "uploading" | "reading" | "failed";
  reason: string | null;
}
export interface Attachments {
  images: PendingImage[];
  files: ParsingFile[];
}
/** Why a file was rejected. */
export type Rejection = "images" | "imageSize" | "files";

const none: Attachments = { images: [], files: [] };
const attachments = createStore<Record<string, Attachments>>({});
const sources = new Map<number, { file: File; address: ThreadAddress }>();
const controllers = new Map<number, AbortController>();
/**
 * Limits of the server per question (contracts, chatMessage; apps/gateway/src/chat/chat-images.ts).
 */
const maxImages = 20;
const maxImageBytes = 20 * 1024 * 1024;
/** A dropped folder belongs in the library, not in a chat. */
const maxFiles = 20;
const maxConcurrent = 2;
let lastId = 0;

export const useAttachments = (key: string): Attachments =>
  useStore(attachments, (value) => value[key] ?? none);
const change = (key: string, step: (value: Attachments) => Attachments): void =>
  attachments.set((all) => ({ ...all, [key]: step(all[key] ?? none) }));
const patchFile = (key: string, id: number, part: Partial<ParsingFile>): void =>
  change(key, (value) => ({
    ...value,
    files: value.files.map((file) => (file.id === id ? { ...file, ...part } : file)),
  }));

/** Images are kept in the browser until they are sent, separately for each user. */
const imageStorageKey = (key: string): string => `pictures ${readCurrentUser()?.id ?? ""} ${key}`;
function changeImages(key: string, step: (images: PendingImage[]) => PendingImage[]): void {
  change(key, (value) => ({ ...value, images: step(value.images) }));
  const images = attachments.get()[key]?.images ?? [];
  void storeItem(
    imageStorageKey(key),
    images.length > 0
      ? images.map(({ name, mime, contentString }) => ({ name, mime, contentString }))
      : undefined,
  );
}

const restored = new Set<string>();
const isStoredImage = (value: unknown): value is Omit<PendingImage, "id"> =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "mime" in value &&
  "contentString" in value &&
  typeof value.name === "string" &&
  typeof value.mime === "string" &&
  typeof value.contentString === "string" &&
  value.contentString.startsWith("data:image/");
/** Restores the images of this thread's tray after a reload, once per thread. */
export async function restoreImages(key: string): Promise<void> {
  if (restored.has(key)) return;
  restored.add(key);
  const stored = await readItem(imageStorageKey(key));
  if (!Array.isArray(stored)) return;
  const images = stored.filter(isStoredImage).map((image): PendingImage => {
    lastId += 1;
    return { id: lastId, name: image.name, mime: image.mime, contentString: image.contentString };
  });
  if (images.length > 0)
    // Images attached in the meantime win.
    change(key, (value) => (value.images.length > 0 ? value : { ...value, images }));
}

const readImage = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });

/** Image types that models accept; other files are documents or unsupported. */
export const isImage = (file: File): boolean => /^image\/(png|jpe?g|gif|webp)$/.test(file.type);

/**
 * Adds files to the chat: images go with the next question, documents are parsed into the thread.
 * If the model can't see images, they are parsed for their text, like documents. Returns the
 * reasons for rejected files.
 */
export async function attachFiles(
  address: ThreadAddress,
  added: File[],
  seesImages: boolean,
): Promise<Rejection[]> {
  const key = threadKey(address.slug, address.threadSlug);
  const rejected = new Set<Rejection>();
  const documents = added.filter((file) => !(seesImages && isImage(file)));
  if (documents.length > maxFiles) rejected.add("files");
  const entries = documents.slice(0, maxFiles).map((file): ParsingFile => {
    lastId += 1;
    sources.set(lastId, { file, address });
    return { id: lastId, name: file.name, progress: 0, state: "waiting", reason: null };
  });
  if (entries.length > 0)
    change(key, (value) => ({ ...value, files: [...value.files, ...entries] }));
  startNext(key);
  for (const file of added.filter((each) => !documents.includes(each))) {
    const before = attachments.get()[key] ?? none;
    if (before.images.length >= maxImages) rejected.add("images");
    else if (
      file.size + before.images.reduce((sum, image) => sum + image.contentString.length * 0.75, 0) >
      maxImageBytes
    )
      rejected.add("imageSize");
    else {
      const contentString = await readImage(file);
      lastId += 1;
      const image = { id: lastId, name: file.name, mime: file.type, contentString };
      changeImages(key, (images) => [...images, image]);
    }
  }
  return [...rejected];
}

function startNext(key: string): void {
  const files = attachments.get()[key]?.files ?? [];
  const busy = files.filter(
    (file) => file.state === "uploading" || file.state === "reading",
  ).length;
  for (const file of files
    .filter((each) => each.state === "waiting")
    .slice(0, Math.max(0, maxConcurrent - busy)))
    void send(key, file.id);
}

async function send(key: string, id: number): Promise<void> {
  const source = sources.get(id);
  if (!source) return;
  const controller = new AbortController();
  controllers.set(id, controller);
  patchFile(key, id, { state: "uploading", progress: 0, reason: null });
  try {
    await parseIntoThread(
      source.address.slug,
      source.address.threadSlug,
      source.file,
      (progress) =>
        patchFile(key, id, { progress, state: progress >= 1 ? "reading" : "uploading" }),
      controller.signal,
    );
    removeFile(key, id);
  } catch (error) {
    if (!controller.signal.aborted)
      patchFile(key, id, {
        state: "failed",
        reason: errorMessage(error),
      });
  } finally {
    controllers.delete(id);
    startNext(key);
  }
}

export function retryFile(key: string, id: number): void {
  patchFile(key, id, { state: "waiting" });
  startNext(key);
}
export function removeFile(key: string, id: number): void {
  controllers.get(id)?.abort();
  sources.delete(id);
  change(key, (value) => ({ ...value, files: value.files.filter((file) => file.id !== id) }));
}
export const removeImage = (key: string, id: number): void =>
  changeImages(key, (images) => images.filter((image) => image.id !== id));

const bytesOf = (dataUrl: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(",") + 1)), (byte) => byte.charCodeAt(0));

/** Parses the images of the next question for their text, for a model that can't see them. */
export async function parseImages(address: ThreadAddress): Promise<Rejection[]> {
  const images = takeImages(threadKey(address.slug, address.threadSlug));
  const files = images.map(
    ({ name, mime, contentString }) => new File([bytesOf(contentString)], name, { type: mime }),
  );
  return attachFiles(address, files, false);
}

/** The images for a question that is being sent; removes them from the tray. */
export function takeImages(key: string): PendingImage[] {
  const { images } = attachments.get()[key] ?? none;
  if (images.length > 0) changeImages(key, () => []);
  return images;
}
