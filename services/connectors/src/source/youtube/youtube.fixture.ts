import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/*
 * YouTube's own interface (`youtubei/v1`), which has no published definition. The answers have the
 * form that youtube-transcript-api 1.2 (captions) and yt-dlp 2025.10 (playlists, channels) read.
 */

type Answer = (response: ServerResponse, body: Record<string, never>) => void;

const json = (response: ServerResponse, value: unknown): void => {
  response.setHeader("content-type", "application/json").end(JSON.stringify(value));
};

export interface VideoFixture {
  title?: string;
  author?: string;
  status?: string;
  reason?: string;
  isLive?: boolean;
  /** Language codes; those that YouTube recognised begin with `asr `. */
  captions?: string[];
}

export class YoutubeFixture {
  readonly videos = new Map<string, VideoFixture>();
  /** Ids in order, by playlist; a string is an alert. */
  readonly playlists = new Map<string, string[] | string>();
  /** Ids by path, such as `/@name`. */
  readonly channels = new Map<string, string>();
  /** Answers by path, in place of the site's own. */
  readonly answers = new Map<string, Answer>();
  readonly requests: { path: string; body: Record<string, unknown> }[] = [];
  pageSize = 100;
  /** Whether the pages after the first come empty. */
  isCut = false;
  /** Whether playlists have the newer form. */
  hasLockups = false;

  readonly listener: RequestListener = (request, response) => void this.answer(request, response);

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://youtube");
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || "{}") as Record<string, never>;
    this.requests.push({ path: pathname, body });
    const own = this.answers.get(pathname);
    if (own) return own(response, body);
    switch (pathname) {
      case "/youtubei/v1/player":
        return json(response, this.player(body.videoId!));
      case "/youtubei/v1/browse":
        return json(response, this.browse(body));
      case "/youtubei/v1/navigation/resolve_url":
        return json(response, {
          endpoint: {
            browseEndpoint: {
              browseId: this.channels.get(new URL(body.url!).pathname),
            },
          },
        });
      case "/api/timedtext":
        return json(response, {
          wireMagic: "pb3",
          events: [
            { tStartMs: 0, dDurationMs: 9_000, id: 1 },
            {
              tStartMs: 1_500,
              dDurationMs: 2_000,
              segs: [{ utf8: `Words in ${searchParams.get("lang")}` }, { utf8: " &\n<more>" }],
            },
            { tStartMs: 1_600, aAppend: 1, segs: [{ utf8: "\n" }] },
            { tStartMs: 3_661_250, dDurationMs: 1_000, segs: [{ utf8: "The end." }] },
          ],
        });
      default:
        return void response.writeHead(404).end("not found");
    }
  }

  private player(videoId: string): unknown {
    const video = this.videos.get(videoId);
    if (video === undefined)
      return {
        playabilityStatus: { status: "ERROR", reason: "This video is unavailable" },
      };
    const { title = `Video ${videoId}`, author = "A Channel", captions = ["en"] } = video;
    const { status = "OK", reason, isLive } = video;
    return {
      playabilityStatus: { status, ...(reason && { reason }) },
      videoDetails: { videoId, title, author, shortDescription: "What it is about.", isLive },
      ...(captions.length > 0 && {
        captions: {
          playerCaptionsTracklistRenderer: {
            captionTracks: captions.map((code) => {
              const lang = code.replace("asr ", "");
              return {
                baseUrl: `https://www.youtube.com/api/timedtext?v=${videoId}&lang=${lang}`,
                name: { runs: [{ text: lang }] },
                languageCode: lang,
                ...(code !== lang && { kind: "asr" }),
              };
            }),
          },
        },
      }),
    };
  }

  private browse({ browseId, continuation }: { browseId?: string; continuation?: string }) {
    const [id = "", from = "0"] = continuation?.split(" ") ?? [browseId?.replace(/^VL/, "")];
    const list = this.playlists.get(id) ?? "The playlist does not exist.";
    if (typeof list === "string")
      return { alerts: [{ alertRenderer: { type: "ERROR", text: { runs: [{ text: list }] } } }] };
    if (continuation !== undefined && this.isCut) return {};
    const start = Number(from);
    const items: object[] = list.slice(start, start + this.pageSize).map((videoId) => {
      const title = this.videos.get(videoId)?.title ?? `Video ${videoId}`;
      return this.hasLockups
        ? {
            lockupViewModel: {
              contentId: videoId,
              contentType: "LOCKUP_CONTENT_TYPE_VIDEO",
              metadata: { lockupMetadataViewModel: { title: { content: title } } },
            },
          }
        : {
            playlistVideoRenderer: {
              videoId,
              title: { runs: [{ text: title }] },
              isPlayable: !title.startsWith("[Private"),
            },
          };
    });
    if (start + this.pageSize < list.length)
      items.push({
        continuationItemRenderer: {
          continuationEndpoint: {
            commandExecutorCommand: {
              commands: [
                { playlistVotingRefreshPopupCommand: {} },
                { continuationCommand: { token: `${id} ${start + this.pageSize}` } },
              ],
            },
          },
        },
      });
    return continuation === undefined
      ? { contents: { tabs: [{ sectionListRenderer: { contents: items } }] } }
      : {
          onResponseReceivedActions: [
            { appendContinuationItemsAction: { continuationItems: items } },
          ],
        };
  }
}
