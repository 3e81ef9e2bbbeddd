import { clipText } from "@carrel/contracts";
import type { In, registerDocument, uploadDeveloperText } from "@carrel/contracts";

/** Maps a raw text's metadata to the wire's fields (wire-contract 6.2). */
export function describeText({
  title,
  url,
  docAuthor,
  description,
  docSource,
  chunkSource,
  published,
}: Partial<NonNullable<In<typeof uploadDeveloperText>["metadata"]>> & { title: string }): In<
  typeof registerDocument
>["metadata"] & { title: string } {
  const words = title
    .normalize("NFC")
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const name = `${clipText(words, 200) || "text"}.txt`;
  const moment =
    published === null || published === undefined || published === ""
      ? Number.NaN
      : Number(published);
  const date = new Date(Number.isNaN(moment) ? Date.now() : moment);
  return {
    title: name,
    url: isWebAddress(url) ? `web://${url.toLowerCase()}.website` : `file://${name}`,
    docAuthor: docAuthor ?? "no author specified",
    description: description ?? "no description found",
    docSource: docSource ?? "no source set",
    chunkSource: chunkSource ?? name,
    published: (Number.isNaN(date.getTime()) ? new Date() : date).toLocaleString("en-US"),
  };
}

const isWebAddress = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
