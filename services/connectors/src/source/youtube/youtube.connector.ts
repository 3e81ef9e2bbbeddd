import { Readable } from "node:stream";
import { CarrelError, clipText, type ErrorCode, type KnownFault } from "@carrel/contracts";
import { z } from "zod";
import {
  defineConnector,
  type Fetched,
  type ListedPage,
  type Source,
  type SourceContext,
} from "../../connector/connector.ts";
import { writeVtt } from "./read-captions.ts";
import { YoutubeClient, youtubeOrigin, type CaptionTrack } from "./youtube-client.ts";
import {
  readYoutubeAddress,
  youtubeForm,
  youtubeSettings,
  type YoutubeSettings,
  type YoutubeTarget,
} from "./youtube-form.ts";

const item = z.object({ videoId: z.string() });
type Item = z.output<typeof item>;

/** Transcripts of videos, from the captions that anyone can read. */
export const connector = defineConnector({
  id: "youtube",
  form: youtubeForm,
  settings: youtubeSettings,
  credential: z.object({}),
  item,
  nameOf: ({ url }) => {
    const target = targetOf(url);
    return clipText(`YouTube ${target.kind === "channel" ? target.path.slice(1) : target.id}`, 200);
  },
  folderOf: () => "youtube-transcripts",
  originOf: () => youtubeOrigin,
  choices: (field, settings, _credential, context) =>
    field === "language" ? listLanguages(settings, context) : Promise.resolve([]),
  open: (settings, _credential, context) => Promise.resolve(openSource(settings, context)),
});

function openSource(settings: YoutubeSettings, context: SourceContext): Source<Item> {
  const client = new YoutubeClient(context);
  const target = targetOf(settings.url);
  const list = (cursor: string | null) => listPage(client, target, cursor);
  return {
    limits: {
      parallel: 2,
      pauseMs: 250,
      maxDocuments: settings.maxVideos,
      maxItems: settings.maxVideos * 2 + 100,
    },
    async check() {
      if (target.kind === "video") await readTranscript(client, target.id, settings.language);
      else if ((await list(null)).items.length === 0) throw new CarrelError("source.nothing-found");
    },
    list,
    fetch: ({ videoId }) => fetchVideo(client, videoId, settings.language),
  };
}

/** Addresses are checked with the settings. */
const targetOf = (url: string): YoutubeTarget => readYoutubeAddress(url)!;

/** A cursor is the playlist and YouTube's own cursor, since a channel is resolved only once. */
const cursorParts = z.tuple([z.string(), z.string()]);

async function listPage(
  client: YoutubeClient,
  target: YoutubeTarget,
  cursor: string | null,
): Promise<ListedPage<Item>> {
  if (target.kind === "video") return { items: [toItem(target.id, target.id, false)], next: null };
  const [known, continuation] = cursor === null ? [] : cursorParts.parse(JSON.parse(cursor));
  const playlist =
    known ?? (target.kind === "playlist" ? target.id : await client.findUploads(target.path));
  const { videos, next, isPartial } = await client.listVideos(playlist, continuation ?? null);
  return {
    items: videos.map(({ id, title, isPrivate }) => toItem(id, title, isPrivate)),
    next: next === null ? null : JSON.stringify([playlist, next]),
    ...(isPartial && { isPartial }),
  };
}

const addressOf = (videoId: string): string => `${youtubeOrigin}/watch?v=${videoId}`;

const toItem = (videoId: string, title: string, isPrivate: boolean) => ({
  externalId: videoId,
  item: { videoId },
  title,
  address: addressOf(videoId),
  ...(isPrivate && { skip: { code: "source.video-private" as const } }),
});

/** Reasons that concern one video for good; the others may pass, and keep its document. */
const lasting: ReadonlySet<ErrorCode> = new Set([
  "source.no-captions",
  "source.no-captions-in",
  "source.video-age-restricted",
  "source.video-live",
  "source.video-private",
]);

async function fetchVideo(
  client: YoutubeClient,
  videoId: string,
  language: string,
): Promise<Fetched<Item>> {
  try {
    const { video, text } = await readTranscript(client, videoId, language);
    const address = addressOf(videoId);
    const author = video.author || "no author found";
    return {
      kind: "document",
      body: Readable.from([Buffer.from(text)]),
      filename: `${clipText(video.title.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, " ").trim(), 150) || videoId}.vtt`,
      mime: "text/vtt",
      source: { kind: "connector", connector: "youtube", reference: address },
      metadata: {
        title: video.title,
        url: `${address}.youtube`,
        docAuthor: author,
        description: video.description || "No description found.",
        docSource: address,
      },
      folder: folderNameOf(author),
    };
  } catch (error) {
    if (!(error instanceof CarrelError) || !lasting.has(error.code)) throw error;
    return { kind: "skipped", fault: { code: error.code, params: error.params } as KnownFault };
  }
}

/** wire-contract 6.2: `<author> youtube transcripts` as a slug. */
const folderNameOf = (author: string): string =>
  `${author} youtube transcripts`.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");

async function readTranscript(client: YoutubeClient, videoId: string, language: string) {
  const video = await client.readVideo(videoId);
  if (video.tracks.length === 0) throw new CarrelError("source.no-captions");
  const track = chooseTrack(video.tracks, language);
  if (track === null)
    throw new CarrelError("source.no-captions-in", {
      language,
      languages: languagesOf(video.tracks).slice(0, 20).join(", "),
    });
  const text = writeVtt(await client.readCaptions(track));
  if (text === null) throw new CarrelError("source.no-captions");
  return { video, text };
}

/**
 * Captions that people wrote are preferred to recognised ones, which tell what is spoken. A chosen
 * language also means its variants, such as `en-GB` for `en`.
 */
function chooseTrack(tracks: readonly CaptionTrack[], language: string): CaptionTrack | null {
  const spoken = tracks.find(({ kind }) => kind === "asr") ?? tracks[0];
  const wanted = (language || (spoken?.languageCode ?? "")).toLowerCase();
  const written = tracks.toSorted((a, b) => Number(a.kind === "asr") - Number(b.kind === "asr"));
  const codeOf = ({ languageCode }: CaptionTrack): string => languageCode.toLowerCase();
  const exact = written.filter((track) => codeOf(track) === wanted);
  const [base] = wanted.split("-");
  const similar = written.filter((track) => codeOf(track).split("-")[0] === base);
  return (language === "" ? similar[0] : (exact[0] ?? similar[0])) ?? null;
}

const languagesOf = (tracks: readonly CaptionTrack[]): string[] => [
  ...new Set(tracks.map(({ languageCode }) => languageCode)),
];

/** Those of the video, or of the first one that has any. */
async function listLanguages({ url }: YoutubeSettings, context: SourceContext): Promise<string[]> {
  const client = new YoutubeClient(context);
  const { items } = await listPage(client, targetOf(url), null);
  for (const { item: listed, skip } of items.slice(0, 3)) {
    if (skip !== undefined) continue;
    const { tracks } = await client.readVideo(listed.videoId).catch((error: unknown) => {
      if (items.length === 1 || !(error instanceof CarrelError)) throw error;
      return { tracks: [] };
    });
    if (tracks.length > 0) return languagesOf(tracks);
  }
  return [];
}
