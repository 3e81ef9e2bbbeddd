import type { CarrelError } from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { readYoutubeAddress } from "./youtube-form.ts";
import { connector } from "./youtube.connector.ts";
import { YoutubeFixture } from "./youtube.fixture.ts";

const id = (n: number): string => `video${String(n).padStart(6, "0")}`;
const channel = `UC${"c".repeat(22)}`;
const uploads = `UU${"c".repeat(22)}`;

describe("YouTube transcripts", () => {
  let youtube: YoutubeFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => youtube.listener(...call), {
      origins: ["https://www.youtube.com"],
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    youtube = new YoutubeFixture();
    youtube.videos.set(id(1), { title: "A <talk>", captions: ["asr en", "en-GB", "de"] });
  });

  const settings = (url: string, more: object = {}) => connector.settings.parse({ url, ...more });
  const open = (url: string, more: object = {}) =>
    connector.open(settings(url, more), {}, server.context);
  const fetchVideo = async (videoId: string, more: object = {}) =>
    (await open(`https://youtu.be/${videoId}`, more)).fetch({ videoId }, null);
  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ code, retryAfter }: CarrelError) => (retryAfter ? [code, retryAfter] : code),
    );

  it.each([
    ["youtube.com/watch?v=video000001&list=PLx&t=4", { kind: "video", id: id(1) }],
    ["https://youtu.be/video000001?si=x", { kind: "video", id: id(1) }],
    ["https://m.youtube.com/shorts/video000001", { kind: "video", id: id(1) }],
    [
      "https://www.youtube.com/playlist?list=PL0123456789",
      { kind: "playlist", id: "PL0123456789" },
    ],
    ["https://www.youtube.com/@A.name/videos", { kind: "channel", path: "/@A.name" }],
    [`https://youtube.com/channel/${channel}`, { kind: "channel", path: `/channel/${channel}` }],
    ["https://www.youtube.com.evil.example/watch?v=video000001", null],
    ["https://www.youtube.com/watch?v=../../etc", null],
    ["https://www.youtube.com/feed/trending", null],
    ["nothing", null],
  ])("come from %s", (address, target) => {
    expect(readYoutubeAddress(address)).toEqual(target);
  });

  it("name the time of every caption, and who published the video", async () => {
    const fetched = await fetchVideo(id(1));
    expect(fetched).toMatchObject({
      filename: "A talk.vtt",
      mime: "text/vtt",
      source: { connector: "youtube", reference: `https://www.youtube.com/watch?v=${id(1)}` },
      folder: "a-channel-youtube-transcripts",
      metadata: {
        title: "A <talk>",
        url: `https://www.youtube.com/watch?v=${id(1)}.youtube`,
        docAuthor: "A Channel",
        docSource: `https://www.youtube.com/watch?v=${id(1)}`,
      },
    });
    // The spoken language's, written by people.
    expect(await readFetched(fetched)).toBe(
      "WEBVTT\n\n00:00:01.500 --> 00:00:03.500\nWords in en-GB &amp; &lt;more&gt;\n\n" +
        "01:01:01.250 --> 01:01:02.250\nThe end.\n",
    );
  });

  it("are in the language that was chosen", async () => {
    const languages = await connector.choices!(
      "language",
      settings(`https://youtu.be/${id(1)}`),
      {},
      server.context,
    );
    expect(languages).toEqual(["en", "en-GB", "de"]);
    expect(await readFetched(await fetchVideo(id(1), { language: "DE-at" }))).toContain("in de ");
    expect(await fetchVideo(id(1), { language: "fr" })).toEqual({
      kind: "skipped",
      fault: {
        code: "source.no-captions-in",
        params: { language: "fr", languages: "en, en-GB, de" },
      },
    });
  });

  it.each([
    [{ captions: [] }, "source.no-captions"],
    [{ status: "LOGIN_REQUIRED", reason: "This video is private" }, "source.video-private"],
    [
      { status: "LOGIN_REQUIRED", reason: "Sign in to confirm your age" },
      "source.video-age-restricted",
    ],
    [
      { status: "LIVE_STREAM_OFFLINE", reason: "This live event will begin in 3 hours." },
      "source.video-live",
    ],
    [{ isLive: true }, "source.video-live"],
  ])("are left out for %j", async (video, code) => {
    youtube.videos.set(id(2), video);
    expect(await readFetched(await fetchVideo(id(2)))).toBe(code);
    const source = await open(`https://youtu.be/${id(2)}`);
    expect(await faultOf(source.check())).toBe(code);
  });

  it.each([
    [
      { status: "LOGIN_REQUIRED", reason: "Sign in to confirm you’re not a bot" },
      "source.youtube-blocked",
    ],
    [{ status: "UNPLAYABLE", reason: "Not in your country" }, "source.video-unavailable"],
    [{ status: "ERROR", reason: "This video is unavailable" }, "source.missing"],
  ])("fail for %j", async (video, code) => {
    youtube.videos.set(id(2), video);
    expect(await faultOf(fetchVideo(id(2)))).toBe(code);
  });

  it("fail with the reason if YouTube shows something else", async () => {
    const failures: [number, Record<string, string>, string, unknown][] = [
      [200, {}, '<form action="https://consent.youtube.com/save">', "source.youtube-consent"],
      [429, {}, '<div class="g-recaptcha">', "source.youtube-blocked"],
      [429, { "retry-after": "7" }, "slow down", ["source.busy", 7]],
      [403, {}, "{}", "source.denied"],
      [500, {}, "{}", "source.failing"],
      [200, {}, "<html>", "egress.unexpected-response"],
      [200, {}, '{"playabilityStatus":[]}', "egress.unexpected-response"],
      [302, { location: "http://169.254.169.254/" }, "", "not public"],
    ];
    for (const [status, headers, body, wanted] of failures) {
      youtube.answers.set("/youtubei/v1/player", (response) =>
        response.writeHead(status, headers).end(body),
      );
      const found = await fetchVideo(id(1)).catch(
        ({ code, retryAfter, fault }: CarrelError & { fault?: { code: string } }) =>
          fault ? "not public" : retryAfter ? [code, retryAfter] : code,
      );
      expect(found).toEqual(wanted);
    }
    youtube.answers.clear();
    youtube.answers.set("/api/timedtext", (response) => response.end());
    expect(await faultOf(fetchVideo(id(1)))).toBe("source.youtube-blocked");
  });

  it("never come from another server", async () => {
    youtube.answers.set("/youtubei/v1/player", (response) =>
      response.end(
        JSON.stringify({
          playabilityStatus: { status: "OK" },
          captions: {
            playerCaptionsTracklistRenderer: {
              captionTracks: [{ baseUrl: "http://10.0.0.1/", languageCode: "en" }],
            },
          },
        }),
      ),
    );
    expect(await faultOf(fetchVideo(id(1)))).toBe("egress.unexpected-response");
  });

  it.each([
    [10_000, false],
    [250, true],
  ])("come from all %p videos of a channel (newer form: %p)", async (count, hasLockups) => {
    youtube.hasLockups = hasLockups;
    youtube.channels.set("/@name", channel);
    const ids = Array.from({ length: count }, (_, n) => id(n));
    youtube.playlists.set(uploads, ids);
    const items = await listAll(await open("https://www.youtube.com/@name"));
    expect(items.map(({ externalId }) => externalId)).toEqual(ids);
    expect(items[1]).toMatchObject({
      title: "A <talk>",
      address: `https://www.youtube.com/watch?v=${id(1)}`,
    });
    const resolved = youtube.requests.filter(({ path }) => path.endsWith("/resolve_url"));
    expect(resolved).toHaveLength(1);
  });

  it("of a playlist whose next page comes empty aren't taken for all of it", async () => {
    youtube.pageSize = 2;
    youtube.playlists.set("PL0123456789", [id(1), id(2), id(3)]);
    const source = await open("https://www.youtube.com/playlist?list=PL0123456789");
    const { next } = await source.list(null);
    expect(await source.list(next)).toMatchObject({ items: [{ externalId: id(3) }], next: null });
    expect((await source.list(next)).isPartial).toBeUndefined();
    youtube.isCut = true;
    expect(await source.list(next)).toEqual({ items: [], next: null, isPartial: true });
  });

  it("of playlists name private videos, and say why a list can't be read", async () => {
    youtube.videos.set(id(3), { title: "[Private video]" });
    youtube.playlists.set("PL0123456789", [id(1), id(3)]);
    const list = "https://www.youtube.com/playlist?list=PL0123456789";
    const items = await listAll(await open(list));
    expect(items.map(({ skip }) => skip?.code)).toEqual([undefined, "source.video-private"]);
    youtube.playlists.delete("PL0123456789");
    const source = await open(list);
    await expect(source.check()).rejects.toMatchObject({
      params: { reason: "The playlist does not exist." },
    });
  });
});
