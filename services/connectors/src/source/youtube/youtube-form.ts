import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";

/** What an address leads to; a channel's `path` still has to be resolved to its id. */
export type YoutubeTarget =
  | { kind: "video"; id: string }
  | { kind: "playlist"; id: string }
  | { kind: "channel"; path: string };

const videoId = /^[\w-]{11}$/;
const playlistId = /^[\w-]{10,60}$/;
const channelPath = /^\/(?:@[^/]{1,100}|(?:channel|c|user)\/[^/]{1,100})(?=\/|$)/;

/** A video in a playlist is that video, as for existing clients. null if it is none of the three. */
export function readYoutubeAddress(text: string): YoutubeTarget | null {
  const typed = /^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  if (!URL.canParse(typed)) return null;
  const { hostname, pathname, searchParams } = new URL(typed);
  const host = hostname.replace(/^(?:www|m|music)\./, "");
  const [, first = "", second = ""] = pathname.split("/");
  if (host === "youtu.be") return videoOf(first);
  if (host !== "youtube.com" && host !== "youtube-nocookie.com") return null;
  const video = searchParams.get("v");
  if (first === "watch" && video !== null) return videoOf(video);
  if (["shorts", "live", "embed", "v"].includes(first)) return videoOf(second);
  const list = searchParams.get("list");
  if (list !== null) return playlistId.test(list) ? { kind: "playlist", id: list } : null;
  const [path] = channelPath.exec(pathname) ?? [];
  return path === undefined ? null : { kind: "channel", path };
}

const videoOf = (id: string): YoutubeTarget | null =>
  videoId.test(id) ? { kind: "video", id } : null;

export const youtubeSettings = z.object({
  url: z
    .string()
    .max(1_000)
    .refine((text) => readYoutubeAddress(text) !== null),
  /** A language's code, such as `en`; by default the one that is spoken. */
  language: z.string().trim().max(20).default(""),
  maxVideos: z.number().int().min(1).max(5_000).default(200),
});
export type YoutubeSettings = z.output<typeof youtubeSettings>;

export const youtubeForm: Omit<ConnectorWire, "id"> = {
  label: "YouTube",
  description: "Import the transcripts of a video, a playlist or a channel.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Video, playlist or channel",
      placeholder: "https://www.youtube.com/@channel",
      required: true,
    },
    {
      name: "language",
      kind: "text",
      label: "Transcript language",
      help: "A code such as en. By default, the language that is spoken.",
      required: false,
      isListed: true,
    },
    {
      name: "maxVideos",
      kind: "number",
      label: "Maximum videos",
      help: "The newest ones of a channel, and the first ones of a playlist.",
      required: false,
      default: 200,
      min: 1,
      max: 5_000,
    },
  ],
  credentialFields: [],
  abilities: { permissions: false, changes: false, discovers: false },
};
