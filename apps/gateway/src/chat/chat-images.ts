import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  CarrelError,
  clipText,
  type ErrorKind,
  type HistoryItem,
  type StoredAttachment,
  type TurnWire,
} from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { detectPictureFormat, type PictureFormat } from "@carrel/picture";
import { LOGGER } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";

/** Maximum total size in bytes of one question's images. */
const maxBytes = 20 * 1024 * 1024;
/** The same limit in base64, with room for the prefixes. */
const maxCharacters = Math.ceil(maxBytes / 3) * 4 + 20_000;
/**
 * Maximum total size in bytes of a history's images; older images that don't fit come without
 * content.
 */
const historyBytes = 12 * 1024 * 1024;
/** Formats that language models accept. */
const shown: ReadonlySet<PictureFormat> = new Set(["jpeg", "png", "webp", "gif"]);
/** After these errors the turn may have been written anyway and refer to the blobs. */
const doubtful: ReadonlySet<ErrorKind> = new Set(["TIMEOUT", "SERVICE_LOST", "UNAVAILABLE"]);
const dataUrl = /^data:[^,]{0,200};base64,/i;

interface SentAttachment {
  name: string;
  mime: string;
  contentString: string;
}

/**
 * Images attached to questions: their bytes are in the blob store under `attachment/<uuid>`, and
 * the turn holds the keys. The chat service deletes them with their turns.
 */
@Injectable()
export class ChatImages {
  constructor(
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the images of a question, recognised by content; of other attachments it keeps only the
   * name. `start` writes the keys into a turn, or into a session that will; if it doesn't, or if it fails, the blobs are
   * deleted, unless the turn may have been written anyway. TOO_LARGE if they exceed 20 MB in total.
   */
  async keep<Started extends { generationId: string | null } | { websocketUUID: string }>(
    attachments: readonly SentAttachment[],
    start: (stored: StoredAttachment[]) => Promise<Started>,
  ): Promise<Started> {
    // Checked before decoding: an image that is too large would hold up other requests.
    const characters = attachments.reduce(
      (sum, { contentString }) => sum + contentString.length,
      0,
    );
    if (characters > maxCharacters)
      throw new CarrelError("chat.images-too-large", { megabytes: 20 });
    const decoded = attachments.map(decode);
    if (decoded.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) > maxBytes)
      throw new CarrelError("chat.images-too-large", { megabytes: 20 });
    const keys: string[] = [];
    try {
      const stored: StoredAttachment[] = [];
      for (const { attachment, bytes } of decoded) {
        if (bytes === null) {
          stored.push(attachment);
          continue;
        }
        const blobKey = `attachment/${randomUUID()}`;
        keys.push(blobKey);
        await this.blobs.put(blobKey, Readable.from([bytes]));
        stored.push({ ...attachment, blobKey });
      }
      const started = await start(stored);
      if ("generationId" in started && started.generationId === null) await this.discard(keys);
      return started;
    } catch (error) {
      if (!(error instanceof CarrelError && doubtful.has(error.kind))) await this.discard(keys);
      throw error;
    }
  }

  /**
   * Attachments as clients receive them: data URLs instead of keys, filled from the newest (the end
   * of the list) while they fit.
   */
  async fill(attachments: readonly StoredAttachment[]): Promise<SentAttachment[]> {
    let room = historyBytes;
    const filled: SentAttachment[] = [];
    for (const { name, mime, contentString, blobKey } of [...attachments].reverse()) {
      const bytes = blobKey === undefined ? null : await this.read(blobKey, room);
      room -= bytes?.length ?? 0;
      filled.push({
        name,
        mime,
        contentString:
          bytes === null ? contentString : `data:${mime};base64,${bytes.toString("base64")}`,
      });
    }
    return filled.reverse();
  }

  /** Does the same for histories. */
  async fillItems<Item extends HistoryItem | TurnWire>(items: Item[]): Promise<Item[]> {
    const of = (item: Item): StoredAttachment[] =>
      "attachments" in item ? (item.attachments ?? []) : [];
    const all = items.flatMap(of);
    if (all.length === 0) return items;
    const filled = await this.fill(all);
    return items.map((item) =>
      of(item).length === 0 ? item : { ...item, attachments: filled.splice(0, of(item).length) },
    );
  }

  /** null if the blob is gone or larger than `most` bytes. */
  private async read(key: string, most: number): Promise<Buffer | null> {
    try {
      const { body, bytes } = await this.blobs.get(key);
      if (bytes <= most) return await buffer(body);
      body.destroy();
      return null;
    } catch (error) {
      if (error instanceof BlobMissingError) return null;
      throw error;
    }
  }

  private async discard(keys: readonly string[]): Promise<void> {
    for (const key of keys)
      await this.blobs
        .delete(key)
        .catch((error: unknown) =>
          this.logger.warn({ err: error, key }, "couldn't delete an unused image"),
        );
  }
}

/** `bytes` is null unless it is an image a model can process. */
function decode({ name, mime, contentString }: SentAttachment): {
  attachment: StoredAttachment;
  bytes: Buffer | null;
} {
  const attachment = { name: clipText(name, 255), mime: clipText(mime, 100), contentString: "" };
  const head = dataUrl.exec(contentString);
  const bytes = head === null ? null : Buffer.from(contentString.slice(head[0].length), "base64");
  const format = bytes === null ? null : detectPictureFormat(bytes);
  return format === null || !shown.has(format)
    ? { attachment, bytes: null }
    : { attachment: { ...attachment, mime: `image/${format}` }, bytes };
}
