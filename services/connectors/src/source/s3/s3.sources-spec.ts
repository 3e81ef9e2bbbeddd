import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client as AmazonClient,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { listAll, readFetched } from "../../../test/fixture-server.ts";
import {
  explainSkip,
  hasProgram,
  startServer,
  type RealServer,
} from "../../../test/real-server.ts";
import { connector } from "./s3.connector.ts";

const accessKey = "carrel-access";
const secretKey = "carrel/secret+key";

const servers = [
  {
    name: "Versity's gateway",
    isHere: hasProgram("versitygw", ["--help"], /posix/),
    advice: "see docs/release-checks.md",
    prepare: (folder: string, port: number) => ({
      command: "versitygw",
      args: [
        "--port",
        `127.0.0.1:${port}`,
        "posix",
        "--sidecar",
        join(folder, "meta"),
        join(folder, "files"),
      ],
      env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    }),
  },
];

describe.each(servers)("S3", ({ name, isHere, advice, prepare }) => {
  (isHere ? describe : describe.skip)(explainSkip(name, isHere, advice), () => {
    let server: RealServer;
    let amazon: AmazonClient;
    let bucket = "";
    let buckets = 0;
    beforeAll(async () => {
      server = await startServer((folder, port) => {
        for (const each of ["files", "meta"]) mkdirSync(join(folder, each));
        return prepare(folder, port);
      });
      amazon = new AmazonClient({
        endpoint: server.address,
        region: "us-east-1",
        forcePathStyle: true,
        credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      });
    });
    afterAll(async () => {
      amazon?.destroy();
      await server?.stop();
    });
    beforeEach(async () => {
      buckets += 1;
      bucket = `docs-${buckets}`;
      await amazon.send(new CreateBucketCommand({ Bucket: bucket }));
    });
    const put = (key: string, text: string): Promise<unknown> =>
      amazon.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
    const open = (more: object = {}, credential: object = { accessKey, secretKey }) =>
      connector.open(
        connector.settings.parse({ endpoint: server.address, bucket, ...more }),
        connector.credential.parse(credential),
        server.context,
      );

    it("gives all objects, whatever they are called", async () => {
      const keys = [
        "a b+c%20d.txt",
        "größe/日本/🙂.md",
        "q?x=1&y=2#z.txt",
        "it's (1)!~'<>;=@$,.txt",
        "sub/%2e%2e/literal.txt",
      ];
      for (const key of keys) await put(key, `in ${key}`);
      const source = await open();
      await source.check();
      const items = await listAll(source);
      expect(items.map(({ title }) => title).toSorted()).toEqual(keys.toSorted());
      for (const { item, title, version } of items) {
        expect(version).toMatch(/./);
        expect(await readFetched(await source.fetch(item, null))).toBe(`in ${title}`);
      }
      const below = await listAll(await open({ prefix: "sub/" }));
      expect(below.map(({ title }) => title)).toEqual(["sub/%2e%2e/literal.txt"]);
    });

    it("lists a large bucket in pages", async () => {
      const keys = Array.from({ length: 1_250 }, (_, n) => `many/${n}.txt`);
      for (let at = 0; at < keys.length; at += 50)
        await Promise.all(keys.slice(at, at + 50).map((key) => put(key, "x")));
      const source = await open();
      const first = await source.list(null);
      expect([first.items.length, first.next === null]).toEqual([1_000, false]);
      const titles = (await listAll(source)).map(({ title }) => title);
      expect([titles.length, new Set(titles).size]).toEqual([1_250, 1_250]);
    });

    it("tells changed and deleted objects", async () => {
      for (const key of ["changed.txt", "kept.txt", "deleted.txt"]) await put(key, "before");
      const source = await open();
      const versionsOf = async () =>
        new Map((await listAll(source)).map(({ title, version }) => [title, version]));
      const before = await versionsOf();
      await put("changed.txt", "after it");
      await amazon.send(new DeleteObjectCommand({ Bucket: bucket, Key: "deleted.txt" }));
      const after = await versionsOf();
      expect([...after.keys()].toSorted()).toEqual(["changed.txt", "kept.txt"]);
      expect(after.get("kept.txt")).toBe(before.get("kept.txt"));
      expect(after.get("changed.txt")).not.toBe(before.get("changed.txt"));
      const gone = { key: "deleted.txt", modified: "" };
      await expect(source.fetch(gone, null)).rejects.toMatchObject({ code: "source.missing" });
      expect(await source.current!(gone)).toBeNull();
    });

    it("refuses a wrong key, and what isn't there", async () => {
      for (const credential of [
        { accessKey, secretKey: "wrong" },
        { accessKey: "other", secretKey },
      ])
        await expect((await open({}, credential)).check()).rejects.toMatchObject({
          code: "source.key-refused",
        });
      await expect((await open({}, {})).check()).rejects.toMatchObject({ code: "source.denied" });
      await expect((await open({ bucket: "none-here" })).check()).rejects.toMatchObject({
        code: "source.bucket-missing",
      });
      const settings = connector.settings.parse({ endpoint: server.address });
      expect(
        await connector.choices!("bucket", settings, { accessKey, secretKey }, server.context),
      ).toContain(bucket);
    });
  });
});
