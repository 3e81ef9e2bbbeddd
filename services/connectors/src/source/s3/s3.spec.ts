import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { connector } from "./s3.connector.ts";
import { S3Fixture } from "./s3.fixture.ts";

const amazon = ["us-east-1", "eu-central-1"].map((region) => `https://s3.${region}.amazonaws.com`);
const answer =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);
const fault = (code: string, more = ""): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`;
const listed = (inner: string): string =>
  `<ListBucketResult><IsTruncated>false</IsTruncated>${inner}</ListBucketResult>`;

describe("a bucket", () => {
  let s3: S3Fixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => s3.listener(...call), {
      origins: [...amazon, "https://docs.objects.example"],
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    s3 = new S3Fixture();
    s3.objects = new Map([
      ["readme.md", { content: "# Hello" }],
      ["handbook/pay.txt", { content: "pay", type: "text/plain; charset=utf-8" }],
    ]);
  });
  const open = (settings: object = {}, credential: object = S3Fixture.credential) =>
    connector.open(
      connector.settings.parse({ endpoint: server.address, bucket: "docs", ...settings }),
      connector.credential.parse(credential),
      server.context,
    );
  const listTitles = async (settings: object = {}): Promise<string[]> =>
    (await listAll(await open(settings))).map(({ title }) => title);

  it("is read, whatever its keys are called", async () => {
    const keys = [
      "a b+c%20d.txt",
      "größe/日本/🙂.txt",
      "q?x=1&y=2#z.txt",
      "it's (1)*!~'\"<>\\|.txt",
      "/leading//double.txt",
      "%2e%2e/literal.txt",
      "tab\there.txt",
    ];
    s3.objects = new Map(keys.map((key) => [key, { content: `in ${key}` }]));
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ title }) => title).toSorted()).toEqual(keys.toSorted());
    for (const { item, title } of items)
      expect(await readFetched(await source.fetch(item, null))).toBe(`in ${title}`);
  });

  it("tells what each object is", async () => {
    const source = await open({ prefix: "/handbook/" });
    const [listedItem, ...others] = await listAll(source);
    expect(others).toEqual([]);
    const address = `${server.address}/docs/handbook/pay.txt`;
    expect(listedItem).toMatchObject({
      externalId: "key:handbook/pay.txt",
      version: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      bytes: 3,
      address,
    });
    expect(await source.fetch(listedItem!.item, null)).toMatchObject({
      filename: "pay.txt",
      mime: "text/plain",
      version: listedItem!.version,
      source: { connector: "s3", reference: address },
      metadata: { title: "pay.txt", published: "2026-05-01T10:00:00.000Z" },
    });
    const plain = await (await open()).fetch({ key: "readme.md", modified: "" }, null);
    expect(plain).toMatchObject({ mime: null, filename: "readme.md" });
  });

  it("leaves out what isn't wanted, and says why", async () => {
    s3.objects = new Map([
      ["folder/", { content: "" }],
      ["folder/a.txt", { content: "a" }],
      ["empty.txt", { content: "" }],
      ["picture.png", { content: "png" }],
      ["large.txt", { content: "x".repeat(1_000_001) }],
      ["drafts/b.txt", { content: "b" }],
      ["a/../b.txt", { content: "b" }],
      ["cold.txt", { content: "c", storage: "GLACIER" }],
      ["deep.txt", { content: "c", storage: "DEEP_ARCHIVE" }],
      ["instant.txt", { content: "c", storage: "GLACIER_IR" }],
      ["warm.txt", { content: "c", storage: "GLACIER", restoredUntil: "2026-12-24T00:00:00Z" }],
    ]);
    const source = await open({ ignore: ["drafts/"], maxMegabytes: 1 });
    const items = await listAll(source);
    expect(Object.fromEntries(items.map(({ title, skip }) => [title, skip?.code]))).toEqual({
      "folder/a.txt": undefined,
      "empty.txt": "source.item-empty",
      "picture.png": "source.type-unwanted",
      "large.txt": "source.file-too-large",
      "a/../b.txt": "source.name-unusable",
      "cold.txt": undefined,
      "deep.txt": undefined,
      "instant.txt": undefined,
      "warm.txt": undefined,
    });
    const { item: cold, version } = items.find(({ title }) => title === "cold.txt")!;
    expect(await source.fetch(cold, null)).toEqual({
      kind: "skipped",
      fault: { code: "source.archived", params: { storage: "GLACIER" } },
    });
    // What was a document before it was archived is one of the same version.
    s3.objects.set("cold.txt", { content: "c" });
    expect(await source.current!(cold)).toMatchObject({ version });
    s3.objects.set("cold.txt", { content: "c", storage: "GLACIER" });
    const read = async (key: string): Promise<string> =>
      readFetched(await source.fetch({ key, modified: "" }, null));
    // They have changed since they were listed.
    expect(await read("large.txt")).toBe("source.file-too-large");
    expect(await read("cold.txt")).toBe("source.archived");
    expect(await read("warm.txt")).toBe("c");
  });

  it("lists all of 10,000 objects, each once", async () => {
    s3.objects = new Map(
      Array.from({ length: 10_000 }, (_, n) => [`${n % 100}/${n} &.txt`, { content: "x" }]),
    );
    const titles = await listTitles();
    expect([titles.length, new Set(titles).size]).toEqual([10_000, 10_000]);
    expect(s3.requests).toHaveLength(10);
  });

  it("tells changed and deleted objects", async () => {
    const source = await open();
    const [pay] = await listAll(source);
    s3.objects.set("handbook/pay.txt", { content: "more" });
    const current = await source.current!(pay!.item);
    expect(current).toMatchObject({ externalId: pay!.externalId, bytes: 4 });
    expect(current!.version).not.toBe(pay!.version);
    s3.objects.delete("handbook/pay.txt");
    s3.objects.set("handbook/pay.txt.old", { content: "x" });
    expect(await source.current!(pay!.item)).toBeNull();
    await expect(source.fetch(pay!.item, null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("is read without a key if it is public, and otherwise says what is wrong", async () => {
    await expect((await open({}, {})).check()).rejects.toMatchObject({ code: "source.denied" });
    const { accessKey } = S3Fixture.credential;
    for (const credential of [
      { accessKey, secretKey: "wrong" },
      { accessKey: "other", secretKey: "x" },
    ])
      await expect((await open({}, credential)).check()).rejects.toMatchObject({
        code: "source.key-refused",
      });
    await expect((await open({ bucket: "none" })).check()).rejects.toMatchObject({
      code: "source.bucket-missing",
      params: { bucket: "none" },
    });
    await expect((await open({ prefix: "none/" })).check()).rejects.toMatchObject({
      code: "source.nothing-found",
    });
    await expect(open({ bucket: "" })).rejects.toMatchObject({ code: "source.setting-invalid" });
    s3.isPublic = true;
    s3.requests.length = 0;
    expect(await listAll(await open({}, {}))).toHaveLength(2);
    expect(s3.requests.every(({ signed }) => !signed)).toBe(true);
    for (const bucket of ["..", "a/b", "a?b"])
      expect(connector.settings.safeParse({ bucket }).success).toBe(false);
  });

  it("offers the buckets that there are", async () => {
    const settings = connector.settings.parse({ endpoint: server.address });
    expect(
      await connector.choices!("bucket", settings, S3Fixture.credential, server.context),
    ).toEqual(["docs", "other"]);
  });

  it("is found in its own region, and only asked for there", async () => {
    s3.region = "eu-central-1";
    const source = await open({ endpoint: "", region: "us-east-1" });
    expect(await listAll(source)).toHaveLength(2);
    expect(await readFetched(await source.fetch({ key: "readme.md", modified: "" }, null))).toBe(
      "# Hello",
    );
    expect(s3.requests.map(({ host }) => host)).toEqual([
      "s3.us-east-1.amazonaws.com",
      "s3.eu-central-1.amazonaws.com",
      "s3.eu-central-1.amazonaws.com",
    ]);
    // Directly an object, on a server that has one address for all regions.
    const other = await open();
    expect(await readFetched(await other.fetch({ key: "readme.md", modified: "" }, null))).toBe(
      "# Hello",
    );
    // Some say it in the answer, and some lie.
    const body = fault("AuthorizationHeaderMalformed", "<Region>eu-central-1</Region>");
    const asked = await open();
    s3.answers.set("/docs", (response) => {
      s3.answers.delete("/docs");
      answer(400, {}, body)(response);
    });
    expect(await listAll(asked)).toHaveLength(2);
    for (const region of ["evil.example/", "a.evil.example", "x".repeat(99)]) {
      s3.answers.set("/docs", answer(301, { "x-amz-bucket-region": region, location: "/x" }));
      await expect((await open({ endpoint: "" })).list(null)).rejects.toMatchObject({
        code: "egress.unexpected-response",
      });
    }
    expect(s3.requests.every(({ host }) => !host.includes("evil"))).toBe(true);
  });

  it("may be in the name of the host", async () => {
    const settings = { endpoint: "https://objects.example", pathStyle: false };
    const source = await open(settings);
    const items = await listAll(source);
    expect(items.map(({ address }) => address)).toEqual([
      "https://docs.objects.example/handbook/pay.txt",
      "https://docs.objects.example/readme.md",
    ]);
    expect(await readFetched(await source.fetch(items[0]!.item, null))).toBe("pay");
  });

  it.each([
    [401, {}, "", { code: "source.denied" }],
    [403, {}, fault("AccessDenied"), { code: "source.denied" }],
    [404, {}, fault("NoSuchKey"), { code: "source.missing" }],
    [404, {}, fault("XAdminUserNotFound"), { code: "source.key-refused" }],
    [404, {}, fault("NoSuchUpload"), { code: "egress.unexpected-response" }],
    [429, { "retry-after": "60" }, "", { code: "source.busy", retryAfter: 60 }],
    [503, {}, fault("SlowDown"), { code: "source.busy" }],
    [500, {}, fault("InternalError"), { code: "source.failing" }],
    [302, { location: "http://169.254.169.254/" }, "", { code: "egress.unexpected-response" }],
    [200, { "content-length": "999" }, null, { reason: "unreachable" }],
  ])("passes on a status of %d %j in the middle", async (status, headers, body, expected) => {
    s3.objects = new Map(
      Array.from({ length: 1_001 }, (_, n) => [`${n}.txt`, { content: "some text" }]),
    );
    const source = await open();
    const { next, items } = await source.list(null);
    for (const path of ["/docs", "/docs/0.txt"])
      s3.answers.set(path, (response) => {
        if (body !== null) return answer(status, headers, body)(response);
        response.writeHead(status, headers).write("<ListBucketResult>");
        setImmediate(() => response.destroy());
      });
    await expect(source.list(next)).rejects.toMatchObject(expected);
    await expect(source.fetch(items[0]!.item, null).then(readFetched)).rejects.toMatchObject(
      expected,
    );
    s3.answers.clear();
    expect((await source.list(next)).items).toHaveLength(1);
  });

  it("isn't harmed by what is hostile", async () => {
    const source = await open();
    const more = (token: string): string =>
      `<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>`;
    for (const text of [
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${listed("&x;")}`,
      "<a>".repeat(200_000),
      "<html>Sign in",
      "",
      "<Other/>",
      more(""),
    ]) {
      s3.answers.set("/docs", answer(200, {}, text));
      await expect(source.list(null)).rejects.toMatchObject({
        code: "egress.unexpected-response",
      });
    }
    s3.answers.set(
      "/docs",
      answer(200, {}, more("<NextContinuationToken>same</NextContinuationToken>")),
    );
    await expect(listAll(source)).rejects.toMatchObject({ code: "egress.unexpected-response" });
    const odd = ["%ff.txt", "%00.txt", "../up.txt", "%2e%2e/up.txt", ""].map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>-1e9</Size><LastModified>?</LastModified></Contents>`,
    );
    s3.answers.set(
      "/docs",
      answer(200, {}, listed(`<EncodingType>url</EncodingType>${odd.join("")}`)),
    );
    const { items } = await source.list(null);
    expect(items.map(({ skip }) => skip?.code)).toEqual(odd.map(() => "source.name-unusable"));
    s3.answers.set("/docs/readme.md", answer(500, {}, "x".repeat(5_000_000)));
    await expect(source.fetch({ key: "readme.md", modified: "" }, null)).rejects.toMatchObject({
      code: "source.failing",
    });
  });
});
