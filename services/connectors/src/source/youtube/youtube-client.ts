import { CarrelError, clipText, type ErrorCode } from "@carrel/contracts";
import { z } from "zod";
import type { SourceContext } from "../../connector/connector.ts";
import { readJson } from "../../connector/read-json.ts";
import { throwStatus } from "../../connector/source-fault.ts";

export const youtubeOrigin = "https://www.youtube.com";
const host = new URL(youtubeOrigin).host;
const maxBytes = 10_000_000;

/*
 * The requests of YouTube's own apps, because its public interface gives captions only to a video's
 * owner. The web app's captions need a proof of origin that only its scripts can compute; the
 * Android app's don't.
 */
const web = { clientName: "WEB", clientVersion: "2.20260115.01.00", hl: "en" };
const android = { clientName: "ANDROID", clientVersion: "20.10.38", hl: "en" };

const words = z
  .object({
    simpleText: z.string().optional(),
    content: z.string().optional(),
    runs: z.array(z.object({ text: z.string() })).optional(),
  })
  .transform(({ simpleText, content, runs }) =>
    clipText(simpleText ?? content ?? (runs ?? []).map(({ text }) => text).join(""), 300),
  );

const captionTrack = z.object({
  baseUrl: z.string(),
  name: words.optional(),
  languageCode: z.string(),
  /** `asr`: recognised by YouTube, and therefore in the language that is spoken. */
  kind: z.string().optional(),
});
export type CaptionTrack = z.output<typeof captionTrack>;

const player = z.object({
  playabilityStatus: z.object({
    status: z.string(),
    reason: z.string().optional(),
  }),
  videoDetails: z
    .object({
      title: z.string().default(""),
      author: z.string().default(""),
      shortDescription: z.string().default(""),
      isLive: z.boolean().optional(),
    })
    .optional(),
  captions: z
    .object({
      playerCaptionsTracklistRenderer: z
        .object({ captionTracks: z.array(captionTrack).default([]) })
        .optional(),
    })
    .optional(),
});

export interface Video {
  title: string;
  author: string;
  description: string;
  tracks: CaptionTrack[];
}

export interface ListedVideo {
  id: string;
  title: string;
  isPrivate: boolean;
}

/** Reads what YouTube shows to anyone. */
export class YoutubeClient {
  constructor(private readonly context: SourceContext) {}

  /** Throws why a video has no transcript for anyone. */
  async readVideo(videoId: string): Promise<Video> {
    const body = { videoId, contentCheckOk: true, racyCheckOk: true };
    const reply = await this.post("player", android, body, player);
    const { playabilityStatus: status, videoDetails: details, captions } = reply;
    if (details?.isLive === true || status.status === "LIVE_STREAM_OFFLINE")
      throw new CarrelError("source.video-live");
    if (status.status !== "OK") throw refusalOf(status);
    return {
      title: clipText(details?.title ?? "", 300) || videoId,
      author: clipText(details?.author ?? "", 200),
      description: clipText(details?.shortDescription ?? "", 1_000),
      tracks: captions?.playerCaptionsTracklistRenderer?.captionTracks ?? [],
    };
  }

  /** In YouTube's `json3` format. */
  async readCaptions({ baseUrl }: CaptionTrack): Promise<string> {
    const url = new URL(baseUrl, youtubeOrigin);
    if (url.origin !== youtubeOrigin) throw new CarrelError("egress.unexpected-response", { host });
    url.searchParams.set("fmt", "json3");
    const { content, signal } = this.context;
    const reply = await content.fetch(url.href, { signal, maxBytes });
    throwIfBlocked(reply);
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    // What it answers where it wants that proof of origin after all.
    if (reply.body.length === 0) throw new CarrelError("source.youtube-blocked");
    return reply.body.toString("utf8");
  }

  /** The playlist of everything that a channel has published. */
  async findUploads(path: string): Promise<string> {
    const [id] = /(?<=^\/channel\/)UC[\w-]{22}$/.exec(path) ?? [];
    const channel = id ?? (await this.resolveChannel(path));
    return `UU${channel.slice(2)}`;
  }

  private async resolveChannel(path: string): Promise<string> {
    const found = await this.post(
      "navigation/resolve_url",
      web,
      { url: `${youtubeOrigin}${path}` },
      z.object({
        endpoint: z.object({
          browseEndpoint: z.object({ browseId: z.string().regex(/^UC[\w-]{22}$/) }).optional(),
        }),
      }),
    );
    const channel = found.endpoint.browseEndpoint?.browseId;
    if (channel === undefined) throw new CarrelError("source.missing", { host });
    return channel;
  }

  /** A page of a playlist, about 100 videos; `next` is null on the last, or if nothing follows. */
  async listVideos(
    playlistId: string,
    continuation: string | null,
  ): Promise<{ videos: ListedVideo[]; next: string | null; isPartial: boolean }> {
    const body = continuation === null ? { browseId: `VL${playlistId}` } : { continuation };
    const page = readPlaylistPage(await this.post("browse", web, body, z.looseObject({})));
    if (continuation === null && page.videos.length === 0 && page.alert !== null)
      throw new CarrelError("source.video-unavailable", { reason: page.alert });
    const isEmpty = page.videos.length === 0;
    return {
      videos: page.videos,
      next: isEmpty ? null : page.next,
      // More was announced than came, so videos that aren't listed may still be there.
      isPartial: isEmpty && (continuation !== null || page.next !== null),
    };
  }

  private async post<Schema extends z.ZodType>(
    call: string,
    client: typeof web,
    body: object,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const { content, signal } = this.context;
    const reply = await content.fetch(`${youtubeOrigin}/youtubei/v1/${call}?prettyPrint=false`, {
      method: "POST",
      signal,
      maxBytes,
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ context: { client }, ...body }),
    });
    throwIfBlocked(reply);
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    return readJson(reply, schema);
  }
}

/** Pages that YouTube puts in front of what was asked for. */
function throwIfBlocked({ url, body }: { url: string; body: Buffer }): void {
  const { hostname, pathname } = new URL(url);
  const start = body[0] === 0x7b ? "" : body.subarray(0, 500_000).toString("latin1");
  if (hostname === "consent.youtube.com" || start.includes("https://consent.youtube.com/"))
    throw new CarrelError("source.youtube-consent");
  if (pathname.startsWith("/sorry/") || start.includes("g-recaptcha"))
    throw new CarrelError("source.youtube-blocked");
}

function refusalOf({ status, reason = "" }: { status: string; reason?: string }): CarrelError {
  const said: [RegExp, ErrorCode & `source.${"video" | "youtube"}-${string}`][] = [
    [/not a bot|unusual traffic|automated/i, "source.youtube-blocked"],
    [/private/i, "source.video-private"],
    [/\bage\b|inappropriate/i, "source.video-age-restricted"],
    [/\blive\b|premiere/i, "source.video-live"],
  ];
  const [, code] = said.find(([pattern]) => pattern.test(reason)) ?? [];
  if (code !== undefined) return CarrelError.fromFault({ code, params: {} });
  return status === "ERROR"
    ? new CarrelError("source.missing", { host })
    : new CarrelError("source.video-unavailable", { reason: clipText(reason, 200) || status });
}

const playlistVideo = z.object({
  videoId: z.string().regex(/^[\w-]{11}$/),
  title: words.optional(),
  isPlayable: z.boolean().optional(),
});
const lockup = z.object({
  contentId: z.string().regex(/^[\w-]{11}$/),
  contentType: z.literal("LOCKUP_CONTENT_TYPE_VIDEO"),
  metadata: z.object({ lockupMetadataViewModel: z.object({ title: words }) }).optional(),
});
const alertText = z.object({ type: z.literal("ERROR"), text: words });

/**
 * Finds the videos wherever the page has them: their place in it changes, what they are called
 * rarely does.
 */
function readPlaylistPage(page: unknown) {
  const videos = new Map<string, ListedVideo>();
  let next: string | null = null;
  let alert: string | null = null;
  const add = (id: string, title: string, isPrivate: boolean) =>
    videos.set(id, { id, title: title || id, isPrivate });
  const open: unknown[] = [page];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const parts = value as Record<string, unknown>;
    const { playlistVideoRenderer, lockupViewModel, alertRenderer } = parts;
    if (playlistVideoRenderer !== undefined) {
      const { data } = playlistVideo.safeParse(playlistVideoRenderer);
      if (data) add(data.videoId, data.title ?? "", data.isPlayable === false);
    } else if (lockupViewModel !== undefined) {
      const { data } = lockup.safeParse(lockupViewModel);
      if (data) add(data.contentId, data.metadata?.lockupMetadataViewModel.title ?? "", false);
    } else if (alertRenderer !== undefined) {
      alert ??= alertText.safeParse(alertRenderer).data?.text ?? null;
    }
    if (parts.continuationItemRenderer !== undefined)
      next ??= findToken(parts.continuationItemRenderer);
    else for (const part of Object.values(parts).toReversed()) open.push(part);
  }
  return { videos: [...videos.values()], next, alert };
}

function findToken(renderer: unknown): string | null {
  const open: unknown[] = [renderer];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const { continuationCommand } = value as { continuationCommand?: { token?: unknown } };
    if (typeof continuationCommand?.token === "string") return continuationCommand.token;
    for (const part of Object.values(value)) open.push(part);
  }
  return null;
}
