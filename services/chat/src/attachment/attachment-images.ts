import { buffer } from "node:stream/consumers";
import { clipText } from "@carrel/contracts";
import type { KnownFault } from "@carrel/contracts";
import type { ImagePart } from "@carrel/providers";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { PromptTurn } from "../prompt/build-prompt.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";

/** Formats supported by every vendor. */
const imageUrl = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/i;
/**
 * Maximum total size of a prompt's images in bytes: vendors accept 20 to 32 MB, including base64
 * overhead.
 */
const maxBytes = 15_000_000;
/** Maximum number of images per prompt (vendors accept 20 to 100). */
const maxImages = 20;
/**
 * Estimated tokens per image, used only to fit the prompt: 1,600 at Anthropic, 1,445 at OpenAI, 576
 * with LLaVA.
 */
export const tokensPerImage = 1_000;

const isImage = ({ blobKey, contentString }: Attachment): boolean =>
  blobKey !== undefined || imageUrl.test(contentString);

/** Loads the images attached to questions, for models with vision. */
@Injectable()
export class AttachmentImages {
  constructor(@Inject(BLOB_STORE) private readonly blobs: BlobStore) {}

  /**
   * Loads as many images as a prompt may hold: the question's first, then the history's, newest
   * first.
   */
  async load(
    attachments: readonly Attachment[],
    history: readonly HistoryTurn[],
  ): Promise<{ images: ImagePart[]; turns: PromptTurn[] }> {
    const room = { bytes: maxBytes, images: maxImages };
    const images = await this.read(attachments, room);
    const turns: PromptTurn[] = [];
    for (const { question, answer, attachments: earlier } of [...history].reverse())
      turns.push({ question, answer, images: await this.read(earlier, room) });
    return { images, turns: turns.reverse() };
  }

  private async read(
    attachments: readonly Attachment[],
    room: { bytes: number; images: number },
  ): Promise<ImagePart[]> {
    const images: ImagePart[] = [];
    for (const attachment of attachments) {
      if (room.images <= 0 || !isImage(attachment)) continue;
      const image = await this.readOne(attachment);
      if (image === null || image.base64.length * 0.75 > room.bytes) continue;
      room.bytes -= image.base64.length * 0.75;
      room.images -= 1;
      images.push(image);
    }
    return images;
  }

  /** Returns null if the image's bytes are gone. */
  private async readOne({ mime, blobKey, contentString }: Attachment): Promise<ImagePart | null> {
    if (blobKey === undefined) {
      const data = imageUrl.exec(contentString);
      return data === null
        ? null
        : { type: "image", mime: data[1]!.toLowerCase(), base64: data[2]!.replace(/\s/g, "") };
    }
    try {
      return {
        type: "image",
        mime,
        base64: (await buffer((await this.blobs.get(blobKey)).body)).toString("base64"),
      };
    } catch (error) {
      if (error instanceof BlobMissingError) return null;
      throw error;
    }
  }
}

/** Tells the user which attachments can't be shown to any model; null if there are none. */
export function describeUnsupported(attachments: readonly Attachment[]): KnownFault | null {
  const names = attachments
    .filter((attachment) => !isImage(attachment))
    .map(({ name }) => `“${clipText(name, 80)}”`);
  return names.length === 0
    ? null
    : { code: "notice.attachments-unsupported", params: { names: names.join(", ") } };
}
